//! Values that a format for people writes as a string.

use core::fmt;
use core::marker::PhantomData;
use core::str::FromStr;

use serde::Deserializer;
use serde::de::Visitor;

/// Deserializes whatever is written as a string and read by `FromStr`.
///
/// # Errors
/// When there is no string, or it does not parse.
pub fn parsed<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: FromStr<Err: fmt::Display>,
{
    struct Text<T>(PhantomData<T>);
    impl<T: FromStr<Err: fmt::Display>> Visitor<'_> for Text<T> {
        type Value = T;
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a string")
        }
        fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<T, E> {
            text.parse().map_err(|why| E::custom(format_args!("`{text}` is {why}")))
        }
    }
    deserializer.deserialize_str(Text(PhantomData))
}

/// `Serialize` and `Deserialize` of types that have both as `#[serde(remote = "Self")]`: a format for people gets their
/// text, any other gets what serde derives.
macro_rules! text_for_people {
    ($($kind:ty),*) => {$(
        impl serde::Serialize for $kind {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                if serializer.is_human_readable() {
                    serializer.collect_str(self)
                } else {
                    Self::serialize(self, serializer)
                }
            }
        }

        impl<'de> serde::Deserialize<'de> for $kind {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                if deserializer.is_human_readable() {
                    $crate::text::parsed(deserializer)
                } else {
                    Self::deserialize(deserializer)
                }
            }
        }
    )*};
}
pub(crate) use text_for_people;

/// An enum of plain variants, each with its word. What it is called stands first, for the message about a text that is
/// none of the words; that message may be given whole, after `else`.
///
/// The crate that uses it needs serde's derive.
#[macro_export]
macro_rules! words {
    (
        $what:literal;
        $(#[$doc:meta])* pub enum $name:ident { $($(#[$vdoc:meta])* $variant:ident = $word:literal,)+ }
    ) => {
        $crate::words! {
            $what else concat!("not ", $what, ": ", $($word, " "),+);
            $(#[$doc])* pub enum $name { $($(#[$vdoc])* $variant = $word,)+ }
        }
    };
    (
        $what:literal else $wrong:expr;
        $(#[$doc:meta])* pub enum $name:ident { $($(#[$vdoc:meta])* $variant:ident = $word:literal,)+ }
    ) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, ::serde::Serialize, ::serde::Deserialize)]
        #[serde(remote = "Self")]
        pub enum $name { $($(#[$vdoc])* $variant,)+ }

        impl $name {
            /// Every value, in the order of the format.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// As the log writes it.
            #[must_use]
            pub const fn word(self) -> &'static str {
                match self { $(Self::$variant => $word,)+ }
            }
        }

        impl ::core::fmt::Display for $name {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.write_str(self.word())
            }
        }

        impl ::core::str::FromStr for $name {
            type Err = &'static str;
            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Ok(match text {
                    $($word => Self::$variant,)+
                    _ => return Err($wrong),
                })
            }
        }

        impl ::serde::Serialize for $name {
            fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                if serializer.is_human_readable() {
                    serializer.serialize_str(self.word())
                } else {
                    Self::serialize(self, serializer)
                }
            }
        }

        impl<'de> ::serde::Deserialize<'de> for $name {
            fn deserialize<D: ::serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                if deserializer.is_human_readable() {
                    $crate::text::parsed(deserializer)
                } else {
                    Self::deserialize(deserializer)
                }
            }
        }
    };
}
