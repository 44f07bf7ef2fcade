//! Values that are written as a string and read by `FromStr`.

use core::fmt;
use core::marker::PhantomData;
use core::str::FromStr;

use serde::Deserializer;
use serde::de::Visitor;

/// Deserializes whatever is written as a string and read by `FromStr`.
pub(super) fn parsed<'de, D, T>(deserializer: D) -> Result<T, D::Error>
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
