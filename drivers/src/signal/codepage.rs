//! The upper halves of the code pages of character displays, and what becomes of letters that they do not have.

/// Which letters a display has above ASCII.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CodePage {
    /// PC437: Spanish but for `Á Í Ó Ú`, which lose their accent.
    Pc437,
    /// PC850: all of Spanish.
    #[default]
    Pc850,
    /// Letters without accents alone.
    Ascii,
}

const PC437: &str = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}";
const PC850: &str = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u{ad}±‗¾¶§÷¸°¨·¹³²■\u{a0}";

impl CodePage {
    const fn upper(self) -> &'static str {
        match self {
            Self::Pc437 => PC437,
            Self::Pc850 => PC850,
            Self::Ascii => "",
        }
    }

    /// The byte of a character; the plain letter where the page has no accented one, `?` where there is none at all.
    #[must_use]
    pub fn byte(self, c: char) -> u8 {
        if let ' '..='~' = c {
            return c as u8;
        }
        match self.upper().chars().position(|other| other == c).and_then(|at| u8::try_from(at + 0x80).ok()) {
            Some(byte) => byte,
            None => plain(c),
        }
    }

    /// The character of a byte that a display was sent; a space for what is no character.
    #[must_use]
    pub fn char(self, byte: u8) -> char {
        match byte {
            b' '..=b'~' => byte as char,
            0x80.. => self.upper().chars().nth(usize::from(byte - 0x80)).unwrap_or(' '),
            _ => ' ',
        }
    }
}

const fn plain(c: char) -> u8 {
    match c {
        'Á' | 'À' | 'Â' | 'Ä' => b'A',
        'É' | 'È' | 'Ê' | 'Ë' => b'E',
        'Í' | 'Ì' | 'Î' | 'Ï' => b'I',
        'Ó' | 'Ò' | 'Ô' | 'Ö' => b'O',
        'Ú' | 'Ù' | 'Û' | 'Ü' => b'U',
        'á' | 'à' | 'â' | 'ä' => b'a',
        'é' | 'è' | 'ê' | 'ë' => b'e',
        'í' | 'ì' | 'î' | 'ï' => b'i',
        'ó' | 'ò' | 'ô' | 'ö' => b'o',
        'ú' | 'ù' | 'û' | 'ü' => b'u',
        'ñ' => b'n',
        'Ñ' => b'N',
        'ç' => b'c',
        'Ç' => b'C',
        '¿' => b'?',
        '¡' => b'!',
        '«' | '»' | '“' | '”' => b'"',
        '‘' | '’' => b'\'',
        '–' | '—' | '−' => b'-',
        '·' | '•' => b'.',
        '×' => b'x',
        '\u{a0}' | '\t' | '\n' | '\r' => b' ',
        _ => b'?',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spanish_in_850_is_the_facts_bytes_and_both_pages_are_whole() {
        let facts = [
            ('á', 0xA0),
            ('é', 0x82),
            ('í', 0xA1),
            ('ó', 0xA2),
            ('ú', 0xA3),
            ('ü', 0x81),
            ('ñ', 0xA4),
            ('Ñ', 0xA5),
            ('Á', 0xB5),
            ('É', 0x90),
            ('Í', 0xD6),
            ('Ó', 0xE0),
            ('Ú', 0xE9),
            ('¿', 0xA8),
            ('¡', 0xAD),
        ];
        for (c, byte) in facts {
            assert_eq!(CodePage::Pc850.byte(c), byte, "{c}");
        }
        for page in [CodePage::Pc437, CodePage::Pc850] {
            assert_eq!(page.upper().chars().count(), 128, "{page:?}");
            for byte in (0x20..0x7f).chain(0x80..=0xff) {
                assert_eq!(page.byte(page.char(byte)), byte, "{page:?} {byte:#x}");
            }
        }
    }

    #[test]
    fn a_letter_that_is_not_there_loses_its_accent_and_nothing_becomes_a_command() {
        let written = |page: CodePage, text: &str| text.chars().map(|c| page.byte(c) as char).collect::<String>();
        assert_eq!(written(CodePage::Pc437, "ÁÍÓÚ"), "AIOU");
        assert_eq!(written(CodePage::Ascii, "¿Año? ¡Sí!"), "?Ano? !Si!");
        for code in (0..0x3000).filter_map(char::from_u32) {
            for page in [CodePage::Pc437, CodePage::Pc850, CodePage::Ascii] {
                assert!(page.byte(code) >= 0x20 && page.byte(code) != 0x7f, "{code:?} is a command in {page:?}");
            }
        }
    }
}
