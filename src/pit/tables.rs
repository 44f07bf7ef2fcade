//! The tables as they are seen from here, and which comes first.

use std::cmp::Reverse;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use sabot_journal::clock::utc;
use sabot_law::table::felt::Words;
use sabot_law::table::{Name, Severity};
use sabot_station::config::pit::PitTable;
#[cfg(feature = "floor")]
use sabot_station::config::pit::StationAddress;
use sabot_station::console::brief::Brief;
use sabot_station::snapshot::Face;
use serde::{Deserialize, Serialize};

use crate::trouble::Trouble;

/// Letters of what is looked for in names.
const LONGEST: usize = 100;

/// All tables, in the order of the configuration; behind them those that the broker told of, as they came.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tables {
    views: Vec<Arc<View>>,
    /// Why some that the broker would tell of may not be here.
    pub(crate) troubles: Vec<Trouble>,
    /// How often something changed.
    pub(crate) changes: u64,
}

/// A table as it is seen from here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct View {
    /// Its name.
    pub(crate) name: Name,
    /// Its house and its pit, where the broker tells of it.
    pub(crate) of: Option<(Name, Name)>,
    /// Where its station serves its page; none where nobody says.
    pub(crate) address: Option<String>,
    /// What its station said last.
    pub(crate) brief: Option<Arc<Brief>>,
    /// Since when it stands so, by the clock here, in milliseconds since 1970.
    stands_since: u64,
    /// It stood so when it was first heard.
    is_older: bool,
    /// Why it is not seen now, and since when.
    lost: Option<(Trouble, u64)>,
}

impl View {
    fn of(table: &PitTable, now: u64) -> Self {
        let address = Some(table.at.to_string());
        Self { address, ..Self::unheard(table.name.clone(), None, now) }
    }

    /// A table of which nothing was heard yet.
    pub(crate) fn unheard(name: Name, of: Option<(Name, Name)>, now: u64) -> Self {
        Self {
            name,
            of,
            address: None,
            brief: None,
            stands_since: now,
            is_older: true,
            lost: Some((Trouble::NotAsked, now)),
        }
    }

    /// Its station says how it stands.
    pub(crate) fn says(&self, brief: &Arc<Brief>, now: u64) -> Self {
        let stands =
            |brief: &Brief| (brief.face, brief.stop, brief.alarm.as_ref().map(|alarm| (alarm.finding, alarm.state)));
        let stood = self.brief.as_deref().map(stands);
        let (stands_since, is_older) = if stood == Some(stands(brief)) {
            (self.stands_since, self.is_older)
        } else {
            // what began while nobody heard it is older than that it was heard
            (now, self.lost.is_some())
        };
        Self { brief: Some(Arc::clone(brief)), stands_since, is_older, lost: None, ..self.clone() }
    }

    /// People reach its page there.
    #[cfg(feature = "floor")]
    pub(crate) fn at(&self, page: Option<&StationAddress>) -> Self {
        Self { address: page.map(ToString::to_string), ..self.clone() }
    }

    /// Its name, with its house and pit where they are known.
    pub(crate) fn full_name(&self) -> Name {
        match &self.of {
            Some((house, pit)) => Name::from(format!("{house}/{pit}/{}", self.name)),
            None => self.name.clone(),
        }
    }

    /// Its station says that it stands as it did.
    pub(crate) fn goes_on(&self) -> Self {
        Self { lost: self.lost.clone().filter(|_| self.brief.is_none()), ..self.clone() }
    }

    /// Its station is not heard, and was last at that time.
    pub(crate) fn lost(&self, why: &Trouble, heard_at: u64) -> Self {
        let since = self.lost.as_ref().map_or(heard_at, |(_, since)| *since);
        Self { lost: Some((why.clone(), since)), ..self.clone() }
    }

    /// What people have to know first. What is not heard is not seen.
    pub(crate) fn face(&self) -> Face {
        match (&self.lost, &self.brief) {
            (None, Some(brief)) => brief.face,
            _ => Face::Blind,
        }
    }

    /// Why it is not heard, in words.
    pub(crate) fn why(&self) -> Option<Words> {
        self.lost.as_ref().map(|(why, _)| why.words())
    }

    /// Since when it stands so, universal time, and whether it did so before.
    pub(crate) fn since(&self) -> (String, bool) {
        match &self.lost {
            Some((_, since)) => (utc(*since), self.brief.is_none()),
            None => (utc(self.stands_since), self.is_older),
        }
    }

    /// The least comes first: by what people have to know, then the gravest, then the oldest; tables in order are all
    /// alike. Then by name, where the broker told of it.
    fn urgency(&self) -> impl Ord + use<> {
        let brief = self.brief.as_deref();
        let severity: Option<Severity> = brief.and_then(|brief| Some(brief.alarm.as_ref()?.severity));
        let stop = self.lost.is_none() && brief.is_some_and(|brief| brief.stop);
        let since = self.lost.as_ref().map_or(self.stands_since, |(_, since)| *since);
        let (face, since) = (self.face(), (self.face() > Face::Clear).then_some(since));
        let name = self.of.is_some().then(|| self.full_name());
        (Reverse(face), Reverse(stop), Reverse(severity), since, name)
    }
}

impl Tables {
    /// Tables of which nothing is known yet.
    pub(crate) fn of(tables: &[PitTable]) -> Self {
        let now = now_ms();
        let views = tables.iter().map(|table| Arc::new(View::of(table, now))).collect();
        Self { views, troubles: Vec::new(), changes: 0 }
    }

    /// With another view of one of them, where it is another.
    pub(crate) fn with(&self, index: usize, change: &dyn Fn(&View) -> View) -> Option<Self> {
        let view = self.views.get(index)?;
        let changed = change(view);
        let mut tables = (changed != **view).then(|| self.clone())?;
        tables.views[index] = Arc::new(changed);
        tables.changes += 1;
        Some(tables)
    }

    /// With other troubles, where they are others.
    #[cfg(feature = "floor")]
    pub(crate) fn troubled(&self, troubles: Vec<Trouble>) -> Option<Self> {
        let is_news = troubles != self.troubles;
        is_news.then(|| Self { views: self.views.clone(), troubles, changes: self.changes + 1 })
    }

    /// With one table more, and its number.
    #[cfg(feature = "floor")]
    pub(crate) fn and(&self, view: View) -> (Self, usize) {
        let mut tables = self.clone();
        tables.views.push(Arc::new(view));
        tables.changes += 1;
        (tables, self.views.len())
    }

    /// The worst first, each with its number in the configuration; those that stand alike in the order of that.
    pub(crate) fn worst_first(&self) -> Vec<(usize, &View)> {
        let mut views: Vec<(usize, &View)> = self.views.iter().map(Arc::as_ref).enumerate().collect();
        views.sort_by_cached_key(|(_, view)| view.urgency());
        views
    }
}

/// Which tables somebody looks at.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Deserialize)]
pub(crate) struct Part {
    /// What stands in their names, those of their house and pit among them; all where it is empty.
    #[serde(default, rename = "of")]
    named: String,
    /// Only those that are not in order, where it is `attention`.
    #[serde(default)]
    only: String,
}

/// Asks for those that are not in order.
const ATTENTION: &str = "attention";

impl Part {
    /// As it was asked for, without what nobody means by it.
    pub(crate) fn asked(self) -> Self {
        let named = self.named.trim().chars().take(LONGEST).collect::<String>().to_lowercase();
        Self { named, only: if self.only == ATTENTION { self.only } else { String::new() } }
    }

    /// What stands in their names.
    pub(crate) fn named(&self) -> &str {
        &self.named
    }

    /// Whether those in order are left out.
    pub(crate) fn is_attention(&self) -> bool {
        self.only == ATTENTION
    }

    /// Whether tables are left out.
    pub(crate) fn is_all(&self) -> bool {
        *self == Self::default()
    }

    /// Whether a table is among them.
    pub(crate) fn has(&self, view: &View) -> bool {
        (!self.is_attention() || view.face() > Face::Clear) && view.full_name().to_lowercase().contains(&self.named)
    }
}

/// A table as programs are told of it.
#[derive(Debug, Serialize)]
pub(crate) struct Told<'a> {
    name: &'a str,
    house: Option<&'a str>,
    pit: Option<&'a str>,
    address: Option<&'a str>,
    face: Face,
    heard: bool,
    why: Option<Words>,
    since: String,
    at_least: bool,
    verdict: Option<&'a Brief>,
}

impl<'a> Told<'a> {
    pub(crate) fn of(view: &'a View) -> Self {
        let (since, at_least) = view.since();
        Self {
            name: &view.name,
            house: view.of.as_ref().map(|(house, _)| house.as_str()),
            pit: view.of.as_ref().map(|(_, pit)| pit.as_str()),
            address: view.address.as_deref(),
            face: view.face(),
            heard: view.lost.is_none(),
            why: view.why(),
            since,
            at_least,
            verdict: view.brief.as_deref(),
        }
    }
}

/// The time on the wall, milliseconds since 1970.
pub(crate) fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use sabot_law::table::Severity;
    use sabot_station::config::pit::{PitTable, StationAddress};
    use sabot_station::console::brief::Brief;
    use sabot_station::snapshot::Face;
    use serde_json::json;

    use super::{Tables, View};
    use crate::trouble::Trouble;

    /// A verdict, and the gravity of its open finding where there is one.
    fn brief(face: Face, stop: bool, finding: Option<(u64, Severity)>) -> Arc<Brief> {
        let words = json!({ "es": "a", "en": "b" });
        let alarm = finding.map(|(n, severity)| {
            json!({ "finding": n, "provision": "C7", "severity": severity, "state": "open", "place": null,
                    "text": words, "to_do": null, "taken_by": null })
        });
        let brief = json!({ "table": "A", "regulation": "sala-8", "line": 1, "pass": 1, "phase": "play", "face": face,
            "says": words, "stop": stop, "unseen": [], "due": null, "open": 1, "alarm": alarm });
        Arc::new(serde_json::from_value(brief).unwrap())
    }

    /// Tables that have said these one after another, a second between them.
    fn tables(said: &[Option<Arc<Brief>>]) -> Tables {
        let at = StationAddress { tls: false, host: "localhost".into(), port: 1 };
        let configured: Vec<PitTable> =
            (0..said.len()).map(|n| PitTable { name: format!("T{n}").into(), at: at.clone(), key: None }).collect();
        let mut tables = Tables::of(&configured);
        for (n, said) in said.iter().enumerate() {
            let Some(said) = said else { continue };
            tables = tables.with(n, &|view| view.says(said, 1000 * n as u64)).unwrap();
        }
        tables
    }

    fn order(tables: &Tables) -> Vec<usize> {
        tables.worst_first().into_iter().map(|(n, _)| n).collect()
    }

    #[test]
    fn the_worst_face_comes_first_then_what_stops_the_gravest_and_the_oldest() {
        let grave = |n| Some(brief(Face::Act, false, Some((n, Severity::Integrity))));
        let less = |n| Some(brief(Face::Act, false, Some((n, Severity::Irregularity))));
        let said = [
            Some(brief(Face::Clear, false, None)),
            less(1),
            grave(2),
            grave(3),
            Some(brief(Face::Look, false, Some((4, Severity::Notice)))),
            Some(brief(Face::Blind, false, None)),
            Some(brief(Face::Blind, true, None)),
            Some(brief(Face::Clear, false, None)),
        ];
        let tables = tables(&said);
        assert_eq!(order(&tables), [6, 5, 2, 3, 1, 4, 0, 7]);
        let lost = tables.with(3, &|view| view.lost(&Trouble::Silent, 9_000)).unwrap();
        assert_eq!(order(&lost), [6, 3, 5, 2, 1, 4, 0, 7], "not heard, and its last finding was grave");
        let calm_again = tables.with(0, &|view| view.says(&brief(Face::Look, false, None), 9_000)).unwrap();
        let calm_again = calm_again.with(0, &|view| view.says(&brief(Face::Clear, false, None), 9_500)).unwrap();
        assert_eq!(order(&calm_again), order(&tables), "tables in order keep the order of the configuration");
        assert_eq!(order(&super::tests::tables(&[Some(brief(Face::Act, true, None)), None])), [1, 0]);
    }

    #[test]
    fn a_table_stands_so_since_it_was_first_told_and_a_silence_between_changes_nothing() {
        let act = brief(Face::Act, false, Some((1, Severity::Integrity)));
        let calm = brief(Face::Clear, false, None);
        let new = View::clone(tables(&[None]).worst_first()[0].1);
        let since = |view: &View| view.since();
        let told = new.says(&act, 60_000);
        assert_eq!(since(&told), ("1970-01-01T00:01:00.000Z".into(), true), "it may have begun before");
        assert_eq!(since(&told.says(&act, 61_000)), since(&told));
        let lost = told.lost(&Trouble::Silent, 62_000);
        assert_eq!((since(&lost), lost.face()), (("1970-01-01T00:01:02.000Z".into(), false), Face::Blind));
        assert_eq!(since(&lost.lost(&Trouble::HungUp, 62_000)), since(&lost), "another reason is the same silence");
        assert_eq!(since(&lost.goes_on()), since(&told));
        assert_eq!((since(&lost.says(&act, 63_000)), lost.says(&act, 63_000).face()), (since(&told), Face::Act));
        assert_eq!(since(&lost.says(&calm, 63_000)), ("1970-01-01T00:01:03.000Z".into(), true));
        assert_eq!(since(&told.says(&calm, 63_000)), ("1970-01-01T00:01:03.000Z".into(), false));
        assert_eq!(new.goes_on().face(), Face::Blind, "a pulse alone is no verdict");
    }

    #[test]
    fn what_changes_nothing_is_no_change() {
        let calm = brief(Face::Clear, false, None);
        let tables = tables(&[Some(Arc::clone(&calm))]);
        assert!(tables.with(0, &|view| view.says(&Arc::new(Brief::clone(&calm)), 99)).is_none());
        assert!(tables.with(7, &View::goes_on).is_none(), "there is no such table");
    }
}
