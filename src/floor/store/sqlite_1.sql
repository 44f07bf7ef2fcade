create table tables (
    id integer primary key,
    house text not null,
    pit text not null,
    name text not null,
    unique (house, pit, name)
) strict;

-- a record: its epoch is when it was begun, milliseconds since 1970
create table records (
    table_id integer not null references tables (id),
    epoch integer not null,
    lines integer not null,
    chain text not null,
    signed integer not null,
    tree text not null,
    primary key (table_id, epoch)
) strict, without rowid;

-- `at` in milliseconds since 1970; `text` as it stands in the record
create table lines (
    table_id integer not null,
    epoch integer not null,
    line integer not null,
    at integer not null,
    ev text not null,
    text text not null,
    primary key (table_id, epoch, line),
    foreign key (table_id, epoch) references records (table_id, epoch)
) strict, without rowid;
create index lines_at on lines (table_id, at);

create table checkpoints (
    table_id integer not null,
    epoch integer not null,
    size integer not null,
    note text not null,
    primary key (table_id, epoch, size)
) strict, without rowid;

create table refusals (
    table_id integer not null references tables (id),
    epoch integer not null,
    line integer not null,
    chain text not null,
    why text not null,
    text blob not null,
    first_at integer not null default (unixepoch() * 1000),
    primary key (table_id, epoch, line, chain)
) strict, without rowid;

create table accepted (
    table_id integer not null references tables (id),
    epoch integer not null,
    primary key (table_id, epoch)
) strict, without rowid;

create view findings as
select t.house, t.pit, t.name as table_name, l.epoch, l.line, l.at,
    a.value ->> 'n' as n, a.value ->> 'provision' as article, a.value ->> 'box' as box, a.value ->> 'text' as text
from lines l join tables t on t.id = l.table_id, json_each(l.text, '$.answers') a
where a.value ->> 'out' = 'finding';
