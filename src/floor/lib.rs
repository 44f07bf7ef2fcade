//! The floor: the records of many tables, carried by NATS JetStream and kept in PostgreSQL or SQLite.
//!
//! The record of a table stays the source. Its station's [`uplink`] ships each line that is on disk, as it stands
//! there; the broker carries it; a [`sink`] holds it against the lines before it, keeps it in a [`store`], and signs a
//! [`receipt`]. Only what a receipt covers counts as shipped: whatever the broker loses is sent again. Many sinks share
//! the work. What contradicts what is kept is refused and named.
//!
//! What is published where stands in [`subjects`].

pub mod bare;
pub mod broker;
pub mod evening;
mod kept_state;
mod lines;
pub mod queue;
pub mod receipt;
pub mod sink;
pub mod store;
pub mod subjects;
pub mod uplink;
pub mod verdicts;
