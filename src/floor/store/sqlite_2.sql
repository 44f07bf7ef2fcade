-- the sinks at work, until when each is believed to be there (milliseconds since 1970), and who has which share
create table sinks (name text primary key, until integer not null) strict;
create table shares (share integer primary key, sink text not null) strict;
