//! A regulation of a house's own, as its file and a log's header say it: whose it begins with, and what is changed.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::Name;
use super::settings::Changes;

/// What a house takes of the regulations there are, and what it changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    /// What the regulation is, in words.
    pub title: Title,
    /// Identifier of the regulation it begins with.
    pub base: Name,
    /// Articles of that regulation that are left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub without: Vec<Name>,
    /// Articles of other regulations that are added, each as `talla/T-R1`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub with: Vec<Name>,
    /// Settings that are changed.
    #[serde(default, skip_serializing_if = "Changes::is_empty")]
    pub settings: Changes,
    /// What the whole came to when the log was begun: SHA-256 of its articles and settings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fingerprint: Option<Name>,
}

/// Words of a house in both languages.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Title {
    /// Spanish.
    pub es: String,
    /// English.
    pub en: String,
}
