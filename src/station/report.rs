//! A report: tables, and bars where figures are compared.

/// A report, in the language in which the page is drawn.
#[derive(Debug)]
pub struct Report {
    /// What stands above it.
    pub title: String,
    /// What it is about, line by line.
    pub about: Vec<String>,
    /// Its sections.
    pub sections: Vec<Section>,
    /// What stands in a section without rows.
    pub none: String,
}

/// A table.
#[derive(Debug)]
pub struct Section {
    /// What stands above it.
    pub title: String,
    /// Line by line.
    pub rows: Vec<Row>,
    /// What the longest bar stands for; 0 where there are no bars.
    pub most: f64,
}

/// A line of a table.
#[derive(Debug)]
pub struct Row {
    /// What it is about.
    pub what: String,
    /// What is told of it.
    pub told: String,
    /// How much that is.
    pub value: f64,
}

impl Section {
    /// Figures side by side, without bars.
    #[must_use]
    pub const fn told(title: String, rows: Vec<Row>) -> Self {
        Self { title, rows, most: 0.0 }
    }

    /// Figures that are compared.
    #[must_use]
    pub fn bars(title: String, rows: Vec<Row>) -> Self {
        let most = rows.iter().map(|row| row.value).fold(0.0, f64::max);
        Self { title, rows, most }
    }

    /// How long the bar of a row is, per cent of the longest.
    #[must_use]
    pub fn share(&self, row: &Row) -> String {
        format!("{:.1}", row.value / self.most * 100.0)
    }
}
