-- what lines tell that is searched for: kind is finding, cleared, breach, withdrawn, pass (the end of one) or act; `at` in
-- milliseconds since 1970, amounts in hundredths
create table told (
    table_id integer not null,
    epoch integer not null,
    line integer not null,
    part integer not null,
    at integer not null,
    kind text not null,
    n integer,
    pass integer,
    article text,
    box text,
    severity text,
    person text,
    owed integer,
    done integer,
    text text,
    primary key (table_id, epoch, line, part)
) strict, without rowid;
create index told_at on told (kind, at);
create index told_article on told (article, at) where article is not null;
create index told_person on told (person, at) where person is not null;
create index told_of on told (table_id, epoch, n) where n is not null;
create index told_passes on told (table_id, epoch, line) where kind = 'pass';
