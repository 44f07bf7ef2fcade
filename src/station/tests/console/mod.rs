//! What the page draws, and how it is served.

mod brief;
mod hostile;
mod http;
mod metrics;
mod render;
mod samples;
mod style;
