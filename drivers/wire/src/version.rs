//! The versions of the link that are spoken.

use crate::message::Role;
use crate::{KEYPAD_SCHEMAS, SCHEMA, SCHEMA_3, SCHEMA_4};

/// A version of the link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Version {
    /// Frames as long as their messages, and nothing says that one is missing.
    Two,
    /// Frames of few lengths; a device says what its newest event is; a session outlives a challenge.
    Three,
    /// Sessions whose keys nobody learns later who finds out the device's key; a device says which image it runs.
    Four,
}

impl Version {
    /// The newest.
    pub const NEWEST: Self = Self::Four;

    /// Its number, as a hello says it.
    #[must_use]
    pub const fn number(self) -> u8 {
        match self {
            Self::Two => 2,
            Self::Three => 3,
            Self::Four => 4,
        }
    }

    /// The version with this number, where it is spoken.
    #[must_use]
    pub const fn of(number: u8) -> Option<Self> {
        match number {
            2 => Some(Self::Two),
            3 => Some(Self::Three),
            4 => Some(Self::Four),
            _ => None,
        }
    }

    /// The schema that a device of this version and role is built with.
    #[must_use]
    pub const fn schema_of(self, role: Role) -> u32 {
        match (self, role) {
            (Self::Two, Role::Keypad) => KEYPAD_SCHEMAS[1],
            (Self::Two, _) => SCHEMA,
            (Self::Three, _) => SCHEMA_3,
            (Self::Four, _) => SCHEMA_4,
        }
    }

    /// Whether a device of this version, that role and schema says nothing that is not understood: a keypad may have
    /// learned less.
    #[must_use]
    pub fn understands(self, role: Role, schema: u32) -> bool {
        match self {
            Self::Two => schema == SCHEMA || (role == Role::Keypad && KEYPAD_SCHEMAS.contains(&schema)),
            Self::Three => schema == SCHEMA_3,
            Self::Four => schema == SCHEMA_4,
        }
    }

    /// What its keys are drawn under.
    pub(crate) const fn domain(self) -> &'static [u8] {
        match self {
            Self::Two => b"sabot-link-2",
            Self::Three => b"sabot-link-3",
            Self::Four => b"sabot-link-4",
        }
    }
}
