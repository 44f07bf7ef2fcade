//! Finds where the code of a crate can be changed. Tests, constants and macros but `matches!` are left as they are.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::{Path, PathBuf};

use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Attribute, BinOp, Block, Expr, Item, Pat, ReturnType, Signature, Stmt, Type, UnOp};

use crate::change::{Change, Mutant};

/// A file of the crate.
pub(crate) struct Source {
    /// From the root of the workspace.
    pub(crate) path: String,
    /// Its text, in which `const fn` reads `fn`, so that a fault can be switched on in it.
    pub(crate) text: String,
    /// What can be changed in it.
    pub(crate) mutants: Vec<Mutant>,
}

/// Every file that a crate's root reaches without `#[cfg(test)]`. Functions named in `constant` stay constant.
pub(crate) fn crate_of(workspace: &Path, root: &str, constant: &BTreeSet<String>) -> Result<Vec<Source>, String> {
    let (mut sources, mut waiting) = (Vec::new(), vec![(PathBuf::from(root), true)]);
    while let Some((path, is_root)) = waiting.pop() {
        let text =
            std::fs::read_to_string(workspace.join(&path)).map_err(|why| format!("{}: {why}", path.display()))?;
        let parsed = syn::parse_file(&text).map_err(|why| format!("{}: {why}", path.display()))?;
        let folder = match (is_root || path.ends_with("mod.rs"), path.parent()) {
            (true, Some(folder)) => folder.to_path_buf(),
            _ => path.with_extension(""),
        };
        for item in &parsed.items {
            if let Item::Mod(module) = item
                && module.content.is_none()
                && !is_for_tests(&module.attrs)
            {
                let name = module.ident.to_string();
                let (file, nested) = (folder.join(format!("{name}.rs")), folder.join(&name).join("mod.rs"));
                waiting.push((if workspace.join(&file).exists() { file } else { nested }, false));
            }
        }
        let file = path.display().to_string();
        let mut finder = Finder { file, text, constant, function: String::new(), mutants: Vec::new() };
        finder.visit_file(&parsed);
        sources.push(Source { path: finder.file, text: finder.text, mutants: finder.mutants });
    }
    sources.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(sources)
}

fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("test")
            || attribute.path().is_ident("cfg") && attribute.parse_args::<syn::Ident>().is_ok_and(|word| word == "test")
    })
}

struct Finder<'a> {
    file: String,
    text: String,
    constant: &'a BTreeSet<String>,
    function: String,
    mutants: Vec<Mutant>,
}

impl Finder<'_> {
    fn add(&mut self, span: Span, what: impl Into<String>, change: Change) {
        let (start, function) = (span.start(), self.function.clone());
        let (line, column) = (start.line, start.column + 1);
        self.mutants.push(Mutant { file: self.file.clone(), line, column, function, what: what.into(), change });
    }

    fn text_of(&self, of: &impl Spanned) -> String {
        self.text[of.span().byte_range()].into()
    }

    /// In words that stay short.
    fn shown(&self, of: &impl Spanned) -> String {
        let text = self.text_of(of).split_whitespace().collect::<Vec<_>>().join(" ");
        if text.chars().count() > 60 { format!("{}…", text.chars().take(59).collect::<String>()) } else { text }
    }

    /// A function's body, unless it must stay constant.
    fn function(&mut self, signature: &Signature, attributes: &[Attribute], body: &Block) {
        let name = signature.ident.to_string();
        if is_for_tests(attributes) || self.constant.contains(&name) {
            return;
        }
        if let Some(constant) = signature.constness {
            let Range { start, end } = constant.span.byte_range();
            self.text.replace_range(start..end, &" ".repeat(end - start));
        }
        let outer = std::mem::replace(&mut self.function, name);
        let begins = body.brace_token.span.open().byte_range().end;
        if !body.stmts.is_empty() && signature.asyncness.is_none() {
            for value in returned(&signature.output) {
                if self.text[body.brace_token.span.join().byte_range()].trim_matches(['{', '}', ' ', '\n']) != value {
                    let what = format!("gives back `{value}`").replace("gives back ``", "does nothing");
                    self.add(signature.ident.span(), what, Change::Returned(begins, value.into()));
                }
            }
        }
        self.visit_block(body);
        self.function = outer;
    }

    /// A condition that is neither a comparison nor made of others: what those are changed to is found in them.
    fn condition(&mut self, condition: &Expr) {
        let is_simple = match condition {
            Expr::MethodCall(_) | Expr::Call(_) | Expr::Path(_) | Expr::Field(_) => true,
            Expr::Macro(call) => call.mac.path.is_ident("matches"),
            _ => false,
        };
        if is_simple {
            let what = format!("not `{}`", self.shown(condition));
            self.add(condition.span(), what, Change::Negated(condition.span().byte_range()));
        }
    }

    fn operands(&mut self, binary: &syn::ExprBinary) {
        let is_and = matches!(binary.op, BinOp::And(_));
        for operand in [&*binary.left, &*binary.right] {
            let is_more_of_it = matches!(operand, Expr::Binary(inner)
                if matches!((&inner.op, &binary.op), (BinOp::And(_), BinOp::And(_)) | (BinOp::Or(_), BinOp::Or(_))));
            if is_more_of_it || holds_let(operand) {
                continue;
            }
            let (what, range) = (format!("without `{}`", self.shown(operand)), operand.span().byte_range());
            self.add(operand.span(), what, if is_and { Change::Always(range) } else { Change::Never(range) });
        }
    }

    fn operator(&mut self, binary: &syn::ExprBinary) {
        let others: &[&str] = match binary.op {
            BinOp::And(_) | BinOp::Or(_) => return self.operands(binary),
            BinOp::Eq(_) => &["!="],
            BinOp::Ne(_) => &["=="],
            BinOp::Lt(_) => &["<=", ">="],
            BinOp::Le(_) => &["<", ">"],
            BinOp::Gt(_) => &[">=", "<="],
            BinOp::Ge(_) => &[">", "<"],
            BinOp::Add(_) => &["-"],
            BinOp::Sub(_) => &["+"],
            BinOp::Mul(_) | BinOp::Rem(_) => &["+"],
            BinOp::Div(_) => &["*"],
            _ => return,
        };
        let (left, right) = (self.text_of(&*binary.left), self.text_of(&*binary.right));
        for other in others {
            let what = format!("`{}` with {other} for {}", self.shown(binary), self.text_of(&binary.op));
            let instead = Change::Instead(binary.span().byte_range(), format!("{left} {other} {right}"));
            self.add(binary.span(), what, instead);
        }
    }
}

/// Values of another kind than the body's, by the type that is given back.
fn returned(output: &ReturnType) -> Vec<&'static str> {
    let ReturnType::Type(_, output) = output else { return vec![""] };
    match &**output {
        Type::Path(path) => match path.path.segments.last().map(|last| last.ident.to_string()).as_deref() {
            Some("bool") => vec!["true", "false"],
            Some("Option") => vec!["None"],
            Some("Result") => vec!["Ok(Default::default())"],
            Some("Ordering") => vec!["core::cmp::Ordering::Equal"],
            Some("u8" | "u16" | "u32" | "u64" | "usize" | "i8" | "i16" | "i32" | "i64") => vec!["0", "1"],
            _ => vec!["Default::default()"],
        },
        Type::Reference(reference) => match &*reference.elem {
            Type::Slice(_) => vec!["&[]"],
            Type::Path(path) if path.path.is_ident("str") => vec!["\"\""],
            _ => vec![],
        },
        Type::Tuple(tuple) if !tuple.elems.is_empty() => vec!["Default::default()"],
        _ => vec![],
    }
}

fn holds_let(expression: &Expr) -> bool {
    match expression {
        Expr::Let(_) => true,
        Expr::Binary(binary) => holds_let(&binary.left) || holds_let(&binary.right),
        _ => false,
    }
}

/// Methods that ask a closure yes or no.
const ASKING: &[&str] = &[
    "all",
    "any",
    "filter",
    "find",
    "is_none_or",
    "is_some_and",
    "position",
    "retain",
    "rposition",
    "skip_while",
    "take_while",
];

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.function(&item.sig, &item.attrs, &item.block);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.function(&item.sig, &item.attrs, &item.block);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        if let Some(body) = &item.default {
            self.function(&item.sig, &item.attrs, body);
        }
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if !is_for_tests(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_const(&mut self, _: &'ast syn::ItemConst) {}
    fn visit_item_static(&mut self, _: &'ast syn::ItemStatic) {}
    fn visit_impl_item_const(&mut self, _: &'ast syn::ImplItemConst) {}
    fn visit_trait_item_const(&mut self, _: &'ast syn::TraitItemConst) {}
    fn visit_type(&mut self, _: &'ast Type) {}
    fn visit_attribute(&mut self, _: &'ast Attribute) {}

    fn visit_pat(&mut self, pattern: &'ast Pat) {
        if let Pat::Guard(guarded) = pattern {
            self.visit_expr(&guarded.guard);
        }
    }

    fn visit_stmt(&mut self, statement: &'ast Stmt) {
        if let Stmt::Expr(expression, Some(_)) = statement {
            let called = match expression {
                Expr::Try(tried) => &*tried.expr,
                other => other,
            };
            let does = match called {
                Expr::MethodCall(_) | Expr::Call(_) | Expr::Assign(_) => true,
                Expr::Binary(binary) => self.text_of(&binary.op).ends_with('='),
                _ => false,
            };
            if does {
                let (what, range) = (format!("without `{}`", self.shown(statement)), statement.span().byte_range());
                self.add(statement.span(), what, Change::LeftOut(range));
            }
        }
        visit::visit_stmt(self, statement);
    }

    fn visit_expr_repeat(&mut self, repeat: &'ast syn::ExprRepeat) {
        self.visit_expr(&repeat.expr);
    }

    fn visit_expr_if(&mut self, condition: &'ast syn::ExprIf) {
        self.condition(&condition.cond);
        visit::visit_expr_if(self, condition);
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        if ASKING.iter().any(|asking| call.method == asking) {
            for argument in &call.args {
                if let Expr::Closure(closure) = argument {
                    self.condition(&closure.body);
                }
            }
        }
        visit::visit_expr_method_call(self, call);
    }

    fn visit_expr_binary(&mut self, binary: &'ast syn::ExprBinary) {
        self.operator(binary);
        visit::visit_expr_binary(self, binary);
    }

    fn visit_expr_unary(&mut self, unary: &'ast syn::ExprUnary) {
        if matches!(unary.op, UnOp::Not(_) | UnOp::Neg(_)) {
            let (what, plain) = (format!("`{}` without its sign", self.shown(unary)), self.text_of(&*unary.expr));
            self.add(unary.span(), what, Change::Instead(unary.span().byte_range(), plain));
        }
        visit::visit_expr_unary(self, unary);
    }

    fn visit_expr_match(&mut self, chosen: &'ast syn::ExprMatch) {
        let falls_through = chosen.arms.last().is_some_and(|last| matches!(last.pat, Pat::Wild(_)));
        for (nth, arm) in chosen.arms.iter().enumerate() {
            match &arm.pat {
                Pat::Guard(guarded) if !holds_let(&guarded.guard) => {
                    let (span, range) = (guarded.guard.span(), guarded.guard.span().byte_range());
                    let pattern = self.shown(&guarded.pat);
                    self.add(span, format!("the arm `{pattern}` with any guard"), Change::Always(range.clone()));
                    self.add(span, format!("without the arm `{pattern}`"), Change::Never(range));
                }
                Pat::Guard(_) => {}
                pattern if falls_through && nth + 1 < chosen.arms.len() => {
                    let (what, ends) =
                        (format!("without the arm `{}`", self.shown(pattern)), pattern.span().byte_range().end);
                    self.add(pattern.span(), what, Change::NoArm(ends));
                }
                _ => {}
            }
        }
        visit::visit_expr_match(self, chosen);
    }
}
