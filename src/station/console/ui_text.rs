//! Every word of the page, in Spanish and English, side by side; words about remedies and places are the table's own.

use crate::snapshot::{DeviceState, Face, FindingState};
use sabot_law::table::answer::Lang;
use sabot_law::table::due::Who;
use sabot_law::table::event::Ruling;
use sabot_law::table::felt::HandState;
use sabot_law::table::words;
use sabot_law::table::{Card, Outcome, Phase, Severity};

macro_rules! ui {
    ($($name:ident: $es:literal, $en:literal;)+) => {
        /// The words of the pages in one language.
        #[derive(Debug)]
        #[allow(missing_docs, reason = "each says what it is")]
        pub struct Ui { $(pub $name: &'static str,)+ }

        static ES: Ui = Ui { $($name: $es,)+ };
        static EN: Ui = Ui { $($name: $en,)+ };

        #[cfg(test)]
        const ALL: &[(&str, &str, &str)] = &[$((stringify!($name), $es, $en),)+];
    };
}

ui! {
    code: "es", "en";
    other_code: "en", "es";
    this_language: "Español", "English";
    other_language: "English", "Español";
    languages: "Idioma", "Language";
    table: "Mesa", "Table";
    regulation: "Reglamento", "Regulation";
    pass: "Pase", "Pass";
    as_of: "La página muestra la mesa a esta hora", "The page shows the table as of this time";
    phases: "Momento del pase", "Part of the pass";

    now: "Ahora", "Now";
    then: "Después", "Then";
    nothing_due: "Nada pendiente", "Nothing is due";

    findings: "Hallazgos", "Findings";
    no_findings: "Todavía no hay hallazgos.", "No findings yet.";
    all_clear: "Sin hallazgos abiertos", "No open findings";
    open_one: "hallazgo abierto", "open finding";
    open_many: "hallazgos abiertos", "open findings";
    to_do: "Hay que", "To do";
    step_done: "hecho", "done";
    step_unseen: "se da por hecho, nadie lo ve", "taken as done, nobody sees it";
    dealer: "pagador", "dealer";
    inspector: "inspector", "inspector";
    room: "sala", "room";
    owed: "Correspondía", "Owed";
    given: "Se hizo", "Given";
    paid: "pagar", "pay";
    collected: "retirar", "collect";
    no_money: "nada", "nothing";
    account_owed: "Corresponde", "Owed";
    account_left: "Falta", "Left";
    account_done: "listo", "done";
    was_paid: "pagado", "paid";
    was_collected: "retirado", "collected";
    all_settled: "todo pagado y retirado", "all is paid and collected";
    unsettled_one: "apuesta sin saldar", "bet not settled";
    unsettled_many: "apuestas sin saldar", "bets not settled";
    not_known: "aún no se sabe", "not known yet";
    ended_blackjack: "Black Jack", "Black Jack";
    ended_win: "gana", "wins";
    ended_lose: "pierde", "loses";
    ended_push: "empata", "ties";
    ended_void: "sin efecto", "void";
    ended_surrender: "se rindió", "gave up";
    was_done: "Se hizo", "Done";
    was_due: "Había que", "Was to do";
    left_undone: "Quedó sin hacer", "Left undone";
    finding_number: "n.º", "no.";
    finding_line: "línea", "line";
    same_cause: "Por lo mismo que el n.º", "By the same as no.";
    new_finding: "Hallazgo nuevo", "New finding";

    noted: "Anotado", "Noted";
    open: "Abierto", "Open";
    cleared: "Resuelto", "Cleared";
    breach: "Incumplido", "Breach";
    withdrawn: "Retirado", "Withdrawn";
    notice: "Aviso", "Notice";
    irregularity: "Irregularidad", "Irregularity";
    integrity: "Integridad", "Integrity";

    idle: "Entre pases", "Between passes";
    bets: "Apuestas", "Bets";
    delivery: "Reparto", "Delivery";
    play: "Juego", "Play";
    bank: "Banca", "Bank";
    settlement: "Pagos", "Settlement";

    felt: "Paño", "Felt";
    box_: "Casillero", "Box";
    free: "libre", "free";
    no_bet: "Sin apuesta", "No bet";
    bets_from: "asiento", "seat";
    stake: "Apuesta", "Stake";
    insurance: "Seguro", "Insured";
    total: "Total", "Total";
    no_cards: "sin cartas", "no cards";
    waiting: "Espera", "Waiting";
    turn: "Turno", "Turn";
    stood: "Plantado", "Stands";
    doubled: "Doblado", "Doubled";
    blackjack: "Black Jack", "Black Jack";
    surrendered: "Se rindió", "Gave up";
    over: "Se pasó", "Over 21";
    void: "Sin efecto", "Void";

    shoe: "Sabot", "Shoe";
    drawn: "extraídas", "drawn";
    cut_card_in: "Corte dentro", "Cut card inside";
    cut_card_out: "Salió el corte", "Cut card is out";
    burned: "Quemadas", "Burned";
    burned_when: "este pase", "this pass";
    discard: "Zambullo", "Discard";
    discard_when: "este sabot", "this shoe";

    covered: "carta cubierta", "covered card";
    unread: "carta no leída", "unread card";
    of_suit: "de", "of";
    ace: "as", "ace";
    spades: "pique", "spades";
    hearts: "corazón", "hearts";
    diamonds: "diamante", "diamonds";
    clubs: "trébol", "clubs";

    devices: "Equipos", "Devices";
    device_shoe: "Sabot", "Shoe";
    device_shuffler: "Mezcladora", "Shuffler";
    device_chips: "Lector de fichas", "Chip reader";
    device_keypad: "Teclado", "Keypad";
    device_display: "Pantalla", "Display";
    floor: "Planta", "Floor";
    unsigned_one: "línea por firmar", "line to be signed for";
    unsigned_many: "líneas por firmar", "lines to be signed for";
    absent: "Ausente", "Absent";
    connecting: "Conectando", "Connecting";
    online: "En línea", "Online";
    refused: "Rechazado", "Refused";
    faulty: "Con fallo", "Faulty";
    port: "Puerto", "Port";
    damaged_one: "trama dañada", "damaged frame";
    damaged_many: "tramas dañadas", "damaged frames";
    repeats_one: "evento repetido y descartado", "event repeated and dropped";
    repeats_many: "eventos repetidos y descartados", "events repeated and dropped";

    is_shoe: "Lee cada carta que sale, la de corte y cuántas se cargaron; su tapa.", "It reads every card that leaves it, the cut card, and how many were loaded; its lid.";
    is_shuffler: "Ve la mezcla, los mazos que toma y da, y sus puertas.", "It sees the shuffle, the decks that it takes and gives, and its doors.";
    is_chips: "Ve las fichas de cada casillero y, donde hay antenas, las cartas.", "It sees the chips at each box and, where there are antennas, the cards.";
    is_keypad: "Por él entran las decisiones y los actos de las personas.", "By it come people's decisions and acts.";
    is_display: "Muestra a la mesa qué toca y qué está mal. No ve nada.", "It shows the table what is due and what is wrong. It sees nothing.";
    is_signal: "Señala a la sala el estado de la mesa. No ve nada.", "It signals to the pit how the table is. It sees nothing.";
    is_floor: "Guarda el registro de la mesa lejos de ella.", "It keeps the table's record away from the table.";
    all_there: "Están todos los equipos.", "All devices are there.";
    not_there: "Faltan:", "Not there:";
    serial: "Número de serie", "Serial number";
    firmware: "Programa", "Firmware";
    start_no: "Arranque n.º", "Start no.";
    image: "Huella del programa", "Hash of its program";
    image_pinned: "la que nombra la configuración", "the one that the configuration names";
    image_other: "la configuración nombra", "the configuration names";
    image_free: "la configuración no nombra ninguna", "the configuration names none";
    key: "Clave del equipo", "Device key";
    key_none: "su protocolo no tiene: quien esté en el cable puede hablar por él", "its protocol has none: whoever is on its line can speak for it";
    key_unheard: "todavía no se oyó", "not heard yet";
    key_sealed: "emparejado: lo que dice viene sellado", "paired: what it says is sealed";
    key_unpaired: "SIN EMPAREJAR: nunca recibió una clave que esta estación conozca", "NOT PAIRED: it was never given a key that this station knows";
    key_swapped: "OTRO EQUIPO, o no tiene su clave", "ANOTHER DEVICE, or it does not hold its key";
    key_downgraded: "HABLA SIN SELLO: una versión vieja del enlace", "NOT SEALED: it speaks an older version of the link";
    clock: "Reloj: la estación le lleva", "Clock: the station is ahead by";
    clock_back: "retrocedió: sus horas no se usan hasta que arranque otra vez", "it went back: its times are not used until it starts again";
    rounds: "Vuelta por los lectores, media (vueltas)", "Round over the readers, mean (rounds)";
    told_so_far: "Desde que anda la estación", "Since the station started";
    count_events: "eventos", "events";
    count_frames: "tramas", "frames";
    withheld: "Retenido: dijo tenerlo y no llegó", "Withheld: it said it had this, and it did not come";
    last: "lo último", "the last";
    late: "contados tarde", "told late";
    lost_frames: "veces que faltaron tramas", "times that frames were missing";
    early: "eventos antes de turno", "events before their turn";
    unheard: "eventos repetidos aunque confirmados", "events repeated though acknowledged";
    missing: "tramas selladas que nunca llegaron", "sealed frames that never came";
    forged: "tramas enteras que no son de este equipo", "whole frames that are not of this device";
    replayed: "tramas idénticas repetidas", "frames that came once more, alike";
    reconnects: "veces que volvió", "times it came back";
    read_rates: "Lectura por lugar", "Reading by spot";
    spot: "Lugar", "Spot";
    spot_cards: "cartas", "cards";
    tags: "Etiquetas", "Tags";
    read: "Leídas", "Read";
    false_alarms: "Falsas alarmas", "False alarms";
    false_alarms_are: "Hallazgos de este registro que una corrección retiró, por el equipo que los dijo.", "Findings of this record that a correction withdrew, by the device that told them.";
    somebody_said: "Lo dijo una persona", "Somebody said so";

    log: "Bitácora", "Log";
    book_service: "Servicio técnico", "Work on the equipment";
    book_decks: "Mazos revisados", "Decks inspected";
    book_card: "Carta reemplazada", "Card replaced";
    enter_it: "Anotar", "Enter it";
    untold: "Solo vigilancia", "Surveillance alone";
    untold_about: "Nada de esto se muestra en la mesa. Se renueva cada tres segundos.", "Nothing of this is shown at the table. It is drawn anew every three seconds.";
    renewed_old: "Esto ya no se renueva: entrar otra vez, o ver si la estación anda.", "This is not drawn anew any more: sign in again, or see whether the station runs.";
    acts: "Actuar", "Act";
    sign_in: "Entrar", "Sign in";
    sign_out: "Salir", "Sign out";
    let_go: "que nadie cerró: solo en el acta", "that nobody has closed: in the record alone";
    newest_first: "Hallazgos, el más nuevo primero", "Findings, the newest first";
    nobody_known: "Aquí no se conoce a nadie: nadie actúa en la página, y una función que se ingresa en el teclado no está probada; un hallazgo cuenta mientras dura su pase.", "Nobody is known here: nobody acts on the page, and an office that is entered at the keypad is not proven; a finding counts until its pass is over.";
    sign_in_first: "Para actuar hay que entrar.", "Sign in to act.";
    person: "Quién", "Who";
    pin: "Clave", "PIN";
    second_person: "Segunda persona", "Second person";
    wrong_pin: "Nombre o clave no son esos.", "Name or PIN is wrong.";
    locked: "Demasiadas claves equivocadas: esperar un minuto.", "Too many wrong PINs: wait a minute.";
    no_staff: "La lista de personas tiene una falla: avisar al técnico.", "The list of people has a fault: tell the technician.";
    nobody_acts: "Esta estación no tiene lista de personas (staff).", "This station has no list of people (staff).";
    no_finding: "Ese hallazgo no está o es demasiado viejo.", "No such finding, or it is too old.";
    no_such_act: "Eso no se puede hacer así.", "That is no act.";
    take: "Tomar", "Take it";
    taken_by: "Lo tomó", "Taken by";
    close: "Cerrar", "Close it";
    closed_by: "Lo cerró", "Closed by";
    note: "Nota", "Note";
    rule: "Resolver", "Rule";
    rule_void: "Anular", "Void";
    rule_stands: "Queda como está", "Stands";
    rule_lose: "Pierde", "Loses";
    rule_resume: "Sigue el pase", "Resume";
    authorize: "Autorizar", "Authorise";
    permit_shuffle: "Mezclar", "Shuffle";
    permit_next_cards: "Próximas cartas para la banca", "Next cards for the bank";
    permit_deck_change: "Cambio de mazos", "Change of decks";
    report: "Informar", "Report";
    dealers_screen: "Pantalla del pagador", "Dealer's screen";
    more: "Otras entradas", "Other entries";
    nothing_to_enter: "Nada para ingresar ahora.", "Nothing to enter now.";
    stop: "PARAR", "STOP";
    not_seen: "NO SE VE", "NOT SEEN";
    take_back: "Deshacer", "Take back";
    correct: "No fue así", "That is not how it was";
    correct_which: "¿Qué línea está mal? La última, primero.", "Which line is wrong? The last one first.";
    correct_all: "todas las líneas", "all lines";
    nothing_to_correct: "No hay líneas para corregir: se corrige hasta la primera carta del pase siguiente.", "No line can be corrected: they are until the next pass's first card.";
    no_such_line: "Esa línea no está o ya no se corrige.", "No such line, or it is not corrected any more.";
    did_not_happen: "No pasó", "It did not happen";
    was_otherwise: "Fue otra cosa", "It was something else";
    missing_after: "Falta algo después", "Something is missing after it";
    see_changes: "Ver qué cambia", "See what changes";
    would_change: "Qué cambiaría", "What would change";
    changes_nothing: "Nada de lo hallado ni de lo que corresponde.", "Nothing of what was found or is owed.";
    then_due: "Después toca", "Due then";
    sign: "Firmar la corrección", "Sign the correction";
    form_draw: "Carta", "A card";
    form_cut_card: "Sale la carta de corte", "The cut card comes out";
    form_burn: "Quemar cartas", "Burn cards";
    form_put_back: "Devolver cartas al mazo", "Put cards back";
    form_discard: "Levantar cartas", "Clear cards";
    form_reveal: "Descubrir", "Uncover";
    form_card: "Decir qué carta es", "Say which card it is";
    form_decide: "Elige el apostador", "A bettor chooses";
    form_ace: "Valor del as", "Value of an ace";
    form_ask: "Preguntar", "Ask";
    form_consent: "Consentimiento", "Consent";
    form_choose: "Opción tomada", "Option taken";
    form_total: "Anunciar el total", "Announce a total";
    form_close_bets: "No va más", "No more bets";
    form_end: "Fin del pase", "End of the pass";
    form_collect: "Retirar fichas", "Collect chips";
    form_pay: "Pagar fichas", "Pay chips";
    form_seat: "Se sienta", "Sits down";
    form_leave: "Se levanta", "Gets up";
    form_request: "Pide casillero", "Asks for a box";
    form_shuffle: "Mezcla terminada", "Shuffle finished";
    form_offer_cut: "Ofrecer el corte", "Offer the cut";
    form_cut: "Corte", "Cut";
    form_load: "Sabot cargado", "Shoe loaded";
    form_bank: "La banca cambia", "The bank changes hands";
    form_bank_card: "Carta por la banca", "Card drawn for the bank";
    form_share: "Parte de la banca", "Share in the bank";
    long_name: "Un nombre tiene hasta 24 letras.", "A name has up to 24 characters.";
    no_entry: "falta, o no puede ser eso.", "missing, or cannot be that.";
    record_starting: "La estación está empezando: probar en un momento.", "The station is starting: try in a moment.";
    record_unread: "El registro no se puede leer ahora; el log de la estación dice por qué.", "The record cannot be read now; the station's log says why.";
    yes: "sí", "yes";
    no: "no", "no";
    article: "Artículo", "Article";
    since: "desde", "since";
    not_judged: "no se juzga del todo", "not wholly judged";
    lost: "Conexión perdida con la estación", "Connection to the station lost";
    lost_more: "Se reintenta sin parar. Lo que se ve es de hace {} s.", "Retrying all the time. What you see is {} s old.";

    signatures: "Firmas", "Signatures";
    signed_on: "fecha", "date";
    dossier: "Expediente", "Dossier";
    dossier_times: "Horas de la casa; al final, su diferencia de UTC (Z: ninguna).", "Times of the house, with their offset from UTC (Z: none).";
    dossier_covered: "Una carta que se dio cubierta o quemada no se muestra.", "A card that was dealt covered or burned is not shown.";
    dossier_differs: "El registro dice que entonces se contestó otra cosa a estas líneas: véase «sabot journal compare».", "The record tells that these lines were answered otherwise then: see `sabot journal compare`.";
    dossier_acts: "Quiénes actuaron", "Who acted";
    dossier_nobody: "El registro no dice que alguien actuara.", "The record tells of nobody who acted.";
    dossier_accounts: "Lo que correspondía a cada apuesta", "What each bet was owed";
    dossier_camera: "En el grabador de video, según su reloj", "At the video recorder, by its clock";
    card_pictures: "Las cartas, como las vio la cámara", "The cards, as the camera saw them";
    dossier_steps: "El pase, paso a paso", "The pass, step by step";
    dossier_proof: "Prueba", "Proof";
    dossier_signed: "Estas líneas están, tal como se escribieron, en el registro firmado", "These lines stand, as they were written, in the signed record";
    dossier_check: "Se comprueba sin la estación ni el registro, con la clave pública de la mesa, que no viene en este expediente:", "To be checked without station and record, with the table's public key, which is not in this dossier:";
    dossier_attached: "Los archivos van adjuntos a este PDF.", "The files are attached to this PDF.";
    dossier_unsigned: "Estas líneas no están firmadas, o todavía no:", "These lines are not signed, or not yet:";

    past: "Registro", "Record";
    pages: "Páginas", "Pages";
    shift: "Turno", "Shift";
    staff: "Personal", "Staff";
    look_for: "Buscar", "Search";
    stands: "Cómo quedó", "How it stands";
    nothing_found: "No hay nada así.", "There is nothing like that.";
    no_record: "Esta estación no tiene un registro que se pueda leer.", "This station has no record that can be read.";
    not_in_record: "El registro no tiene eso, o el pase no terminó todavía. Los hallazgos están en /findings", "The record has nothing like that, or the pass is not over yet. The findings are at /findings";
    as_it_went: "El pase, paso a paso", "The pass, step by step";
    play_back: "Paso a paso", "Step by step";
    all_steps: "Todos los pasos", "All steps";
    go_back: "Volver atrás en el pase", "Go back through the pass";
    moments: "Momentos del pase", "Moments of the pass";
    not_now: "Así estaba el paño en ese momento, no ahora.", "This is how the felt stood at that moment, not now.";
    back_to_now: "Ahora", "Now";
    moment_before: "El momento anterior", "The moment before";
    moment_after: "El momento siguiente", "The moment after";
    look_at: "Ver", "Show";
    due_then: "Tocaba:", "Due then:";
    were_open: "Hallazgos abiertos entonces:", "Findings open then:";
    covered_then: "Lo que estaba cubierto en ese momento sigue cubierto acá.", "What lay covered at that moment is covered here.";
    no_moment: "El registro no tiene ese momento: los renglones de la mesa empiezan en 2. La mesa está en /", "The record has no such moment: the table's lines begin at 2. The table is at /";
    from_time: "Desde", "From";
    to_time: "Hasta", "To";
    found_when: "Se encuentra:", "Found:";
    deals: "Reparte:", "Deals:";
    inspects: "Inspecciona:", "Inspects:";
    nobody: "nadie lo dijo", "nobody said so";
    service: "Servicio", "Service";
    i_deal: "Reparto yo", "I deal";
    i_inspect: "Inspecciono yo", "I inspect";
    open_table: "Abrir la mesa", "Open the table";
    close_table: "Cerrar la mesa", "Close the table";
    begin_shift: "Empieza el turno", "The shift begins";
    table_is_open: "Mesa abierta.", "The table is open.";
    table_is_closed: "Mesa cerrada.", "The table is closed.";
    nobody_opened: "Nadie dijo que la mesa esté abierta.", "Nobody said that the table is open.";
    signed_in: "Con sesión abierta", "Signed in";

    not_found: "Acá no hay nada. La mesa está en /", "Nothing is here. The table is at /";
    too_many: "Ya hay demasiadas pantallas conectadas: cierre alguna.", "Too many pages are connected: close one.";
    station_gone: "La estación se detuvo.", "The station has stopped.";
    not_drawn: "La página no se pudo armar.", "The page could not be drawn.";

    tables: "Mesas", "Tables";
    face_clear: "En orden", "In order";
    face_look: "Mirar", "Look";
    face_act: "Actuar", "Act";
    face_blind: "No se ve", "Not seen";
    no_contact: "SIN CONTACTO", "NO CONTACT";
    at_least_since: "al menos desde", "at least since";
    known_last: "Lo último que dijo la estación", "What the station said last";
    history: "Historia", "History";
    money_from: "Dinero mal pagado, desde", "Money that was wrong, from";
    house_report: "Informe de la casa", "House report";
    pass_before: "Pase anterior", "Pass before";
    pass_after: "Pase siguiente", "Pass after";
    history_lost: "La base de datos no contesta.", "The database does not answer.";
    no_such_time: "no es una hora", "is no time";
    no_such_amount: "no es un importe", "is no amount";
    tables_named: "Mesas cuyo nombre contiene", "Tables whose name has";
    only_attention: "sólo las que no están en orden", "only those not in order";
    not_shown: "sin mostrar", "not shown";
    in_need: "con algo que hacer o sin ver", "to be acted on or not seen";
    order_waits: "El orden de las mesas espera mientras alguien señala una.", "The order of the tables waits while somebody points at one.";
    pit_lost: "Conexión perdida con las mesas", "Connection to the tables lost";
    pit_lost_more: "Cada mesa sigue llevando a su estación. Lo que se ve es de hace {} s.", "Each table still leads to its station. What you see is {} s old.";
    pit_not_found: "Acá no hay nada. Las mesas están en /", "Nothing is here. The tables are at /";
}

impl Ui {
    /// The words of one language.
    #[must_use]
    pub fn of(lang: Lang) -> &'static Self {
        match lang {
            Lang::Es => &ES,
            Lang::En => &EN,
        }
    }

    /// How a finding stands.
    #[must_use]
    pub const fn finding_state(&self, state: FindingState) -> &'static str {
        match state {
            FindingState::Noted => self.noted,
            FindingState::Open => self.open,
            FindingState::Cleared => self.cleared,
            FindingState::Breach => self.breach,
            FindingState::Withdrawn => self.withdrawn,
        }
    }

    pub(super) const fn outcome(&self, outcome: Outcome) -> &'static str {
        match outcome {
            Outcome::Blackjack => self.ended_blackjack,
            Outcome::Win => self.ended_win,
            Outcome::Lose => self.ended_lose,
            Outcome::Push => self.ended_push,
            Outcome::Void => self.ended_void,
            Outcome::Surrender => self.ended_surrender,
            Outcome::Unknown => self.not_known,
        }
    }

    /// How grave a finding is.
    #[must_use]
    pub const fn severity(&self, severity: Severity) -> &'static str {
        match severity {
            Severity::Notice => self.notice,
            Severity::Irregularity => self.irregularity,
            Severity::Integrity => self.integrity,
        }
    }

    /// What may be decided.
    #[must_use]
    pub const fn ruling(&self, decision: Ruling) -> &'static str {
        match decision {
            Ruling::Void => self.rule_void,
            Ruling::Stands => self.rule_stands,
            Ruling::Lose => self.rule_lose,
            Ruling::Resume => self.rule_resume,
        }
    }

    /// Who has to act.
    #[must_use]
    pub const fn who(&self, who: Who) -> &'static str {
        match who {
            Who::Dealer => self.dealer,
            Who::Inspector => self.inspector,
            Who::Room => self.room,
        }
    }

    /// What people have to know first.
    #[must_use]
    pub const fn face(&self, face: Face) -> &'static str {
        match face {
            Face::Clear => self.face_clear,
            Face::Look => self.face_look,
            Face::Act => self.face_act,
            Face::Blind => self.face_blind,
        }
    }

    pub(super) const fn phase(&self, phase: Phase) -> &'static str {
        match phase {
            Phase::Idle => self.idle,
            Phase::Bets => self.bets,
            Phase::Delivery => self.delivery,
            Phase::Play => self.play,
            Phase::Bank => self.bank,
            Phase::Settlement => self.settlement,
        }
    }

    pub(super) const fn hand_state(&self, state: HandState) -> &'static str {
        match state {
            HandState::Waiting => self.waiting,
            HandState::Turn => self.turn,
            HandState::Stood => self.stood,
            HandState::Doubled => self.doubled,
            HandState::Blackjack => self.blackjack,
            HandState::Surrendered => self.surrendered,
            HandState::Over => self.over,
            HandState::Void => self.void,
        }
    }

    pub(super) const fn device_state(&self, state: DeviceState) -> &'static str {
        match state {
            DeviceState::Absent => self.absent,
            DeviceState::Connecting => self.connecting,
            DeviceState::Online => self.online,
            DeviceState::Refused => self.refused,
            DeviceState::Faulty => self.faulty,
        }
    }

    /// A device's role as people call it; one the page does not know keeps its own name.
    pub(super) fn device<'a>(&self, role: &'a str) -> &'a str {
        match role {
            "shoe" => self.device_shoe,
            "shuffler" => self.device_shuffler,
            "chips" => self.device_chips,
            "keypad" => self.device_keypad,
            "display" => self.device_display,
            other => other,
        }
    }

    /// An uncovered card as it is read aloud: `10 de pique`, `ace of hearts`.
    pub(super) fn card(&self, card: Card) -> String {
        let (Some(rank), Some(suit)) = (card.rank(), card.suit()) else { return self.unread.into() };
        let rank = if rank.index() == 0 { self.ace } else { rank_sign(card) };
        let suit = [self.spades, self.hearts, self.diamonds, self.clubs][usize::from(suit.index()) % 4];
        format!("{rank} {} {suit}", self.of_suit)
    }

    /// An amount in cents as people write it.
    #[must_use]
    pub fn money(&self, cents: u64) -> String {
        words::money(cents).get(if self.code == "es" { Lang::Es } else { Lang::En }).to_string()
    }
}

/// What is printed in a card's corner; empty for a card that could not be read.
pub(super) fn rank_sign(card: Card) -> &'static str {
    const SIGNS: [&str; 13] = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
    card.rank().map_or("", |rank| SIGNS[usize::from(rank.index()) % 13])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words that are rightly the same in both languages.
    const SAME: &[&str] = &["inspector", "blackjack", "ended_blackjack", "total", "no"];

    #[test]
    fn every_word_is_there_in_both_languages_and_only_names_are_alike() {
        for (name, es, en) in ALL {
            assert!(!es.trim().is_empty() && !en.trim().is_empty(), "{name} is empty");
            assert_eq!(es.matches("{}").count(), en.matches("{}").count(), "{name} has other places to fill");
            assert_eq!(es == en, SAME.contains(name), "{name}: {es} / {en}");
        }
    }

    #[test]
    fn amounts_are_written_as_each_language_writes_them() {
        let cases = [
            (0, "0", "0"),
            (99, "0,99", "0.99"),
            (100_000, "1.000", "1,000"),
            (123_456_705, "1.234.567,05", "1,234,567.05"),
        ];
        for (cents, es, en) in cases {
            assert_eq!((Ui::of(Lang::Es).money(cents).as_str(), Ui::of(Lang::En).money(cents).as_str()), (es, en));
        }
    }

    #[test]
    fn cards_are_named_by_rank_and_suit() {
        let card = |code: &str| code.parse::<Card>().unwrap();
        assert_eq!(Ui::of(Lang::Es).card(card("TS")), "10 de pique");
        assert_eq!(Ui::of(Lang::En).card(card("AH")), "ace of hearts");
        assert_eq!(Ui::of(Lang::En).card(Card::UNREAD), "unread card");
    }
}
