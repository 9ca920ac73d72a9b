"""Names, signs and codes of currencies, before and after an amount."""

from __future__ import annotations

from fernjax.sim.mentions.tokens import Tokens

SIGNS = {
    "$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR", "₩": "KRW", "₽": "RUB", "₪": "ILS",
    "₺": "TRY", "₫": "VND", "₴": "UAH", "₦": "NGN", "₱": "PHP", "฿": "THB", "₡": "CRC", "₲": "PYG",
}  # fmt: skip
DOLLAR_SIGNS = {
    "us": "USD", "u.s": "USD", "a": "AUD", "au": "AUD", "c": "CAD", "ca": "CAD", "can": "CAD", "hk": "HKD",
    "nz": "NZD", "s": "SGD", "sg": "SGD", "r": "BRL", "mx": "MXN", "nt": "TWD",
}  # fmt: skip
"""Letters that stand glued in front of "$"."""

CODES = frozenset(
    """aed afn aoa ars aud awg azn bbd bdt bgn bhd bif bmd bnd brl bsd btc btn bwp byn bzd cad cdf chf clp
    cny crc cve czk djf dkk dop dzd egp etb eth eur fjd gbp ghs gmd gnf gtq gyd hkd hnl huf idr ils inr
    iqd irr isk jmd jpy kes kgs kmf krw kwd kyd kzt lbp lkr lrd lsl lyd mdl mga mkd mmk mnt mru mur mvr
    mwk mxn myr mzn ngn nio nok npr nzd omr pgk pkr pln pyg qar rmb rsd rwf sbd scr sdg sek sgd shp srd
    szl thb tjs tmt tnd twd tzs uah ugx usd usdc usdt uyu uzs ves vnd vuv wst xaf xcd xof xpf yer zar
    zmw""".split()
)
SHOUTED_CODES = frozenset(
    """all amd ang bam bob cop cup ern gel gip hrk htg jod lak mad mop nad pab pen php ron rub sar sle sos ssp
    syp top try""".split()
)
"""Codes that are words too: they count in capitals alone."""

_ALIASES = {"RMB": "CNY"}

NAMES: dict[str, str | None] = {
    "dollar": "USD", "buck": "USD", "euro": "EUR", "eur": "EUR", "€ur": "EUR", "pound": "GBP", "quid": "GBP",
    "sterling": "GBP", "squid": "GBP", "yen": "JPY", "yuan": "CNY", "renminbi": "CNY", "kuai": "CNY",
    "rupee": "INR", "rs": "INR", "won": "KRW", "franc": "CHF", "krona": "SEK", "kronor": "SEK",
    "krone": "NOK", "kroner": "NOK", "peso": "MXN", "reais": "BRL",
    "ruble": "RUB", "rouble": "RUB", "zloty": "PLN",
    "zlotys": "PLN", "lira": "TRY", "rand": "ZAR", "shekel": "ILS", "dirham": "AED", "baht": "THB",
    "ringgit": "MYR", "rupiah": "IDR", "forint": "HUF", "koruna": "CZK", "hryvnia": "UAH", "naira": "NGN",
    "cedi": "GHS", "shilling": "KES", "geneh": "EGP", "genih": "EGP", "genihat": "EGP", "le": "EGP",
    "bitcoin": "BTC", "dinar": None, "rial": None, "riyal": None, "krónur": "ISK", "dong": "VND",
    "taka": "BDT",
    "doller": "USD", "dolar": "USD", "dollor": "USD", "egyptianpound": "EGP",
}  # fmt: skip
"""Nouns of one unit, singular; None where several countries' money is called so and no country is said."""

_INVARIABLE = frozenset(
    "quid sterling yen yuan renminbi kuai won kronor kroner reais zloty zlotys".split()
) | frozenset(
    {
        "rand",
        "baht",
        "ringgit",
        "rupiah",
        "forint",
        "geneh",
        "genihat",
        "le",
        "rs",
        "krónur",
        "dong",
        "€ur",
        "eur",
    }
)
for _name in list(NAMES):
    if _name not in _INVARIABLE:
        NAMES[_name + "s"] = NAMES[_name]

COUNTRIES: dict[str, dict[str, str]] = {
    "dollar": {
        "us": "USD", "american": "USD", "canadian": "CAD", "australian": "AUD", "aussie": "AUD",
        "singapore": "SGD", "kiwi": "NZD", "taiwan": "TWD", "jamaican": "JMD",
    },
    "pound": {
        "british": "GBP", "english": "GBP", "uk": "GBP", "egyptian": "EGP", "lebanese": "LBP",
        "syrian": "SYP",
    },
    "dinar": {
        "kuwaiti": "KWD", "jordanian": "JOD", "iraqi": "IQD", "serbian": "RSD", "tunisian": "TND",
        "bahraini": "BHD", "algerian": "DZD", "libyan": "LYD",
    },
    "rial": {"iranian": "IRR", "omani": "OMR", "yemeni": "YER", "qatari": "QAR", "saudi": "SAR"},
    "riyal": {"qatari": "QAR", "saudi": "SAR", "omani": "OMR"},
    "franc": {"swiss": "CHF"},
    "rupee": {"indian": "INR", "pakistani": "PKR", "nepali": "NPR", "nepalese": "NPR", "lankan": "LKR"},
    "peso": {
        "mexican": "MXN", "argentine": "ARS", "chilean": "CLP", "colombian": "COP", "philippine": "PHP",
        "filipino": "PHP",
    },
    "krone": {"danish": "DKK", "norwegian": "NOK"}, "kroner": {"danish": "DKK", "norwegian": "NOK"},
    "krona": {"swedish": "SEK", "icelandic": "ISK"}, "kronor": {"swedish": "SEK"},
    "yen": {"japanese": "JPY"}, "yuan": {"chinese": "CNY"}, "won": {"korean": "KRW"},
    "lira": {"turkish": "TRY"}, "zloty": {"polish": "PLN"}, "rand": {"african": "ZAR"},
    "real": {"brazilian": "BRL"}, "reais": {"brazilian": "BRL"},
    "dirham": {"moroccan": "MAD", "emirati": "AED", "uae": "AED"},
    "ruble": {"russian": "RUB"}, "rouble": {"russian": "RUB"}, "shekel": {"israeli": "ILS"},
    "shilling": {"kenyan": "KES", "ugandan": "UGX", "tanzanian": "TZS"},
}  # fmt: skip
_BUCKS = {"buck": "dollar", "quid": "pound"}
_ADJECTIVES = frozenset(a for nouns in COUNTRIES.values() for a in nouns)
_AFTER_NAME = frozenset({"masriya", "sterling"})
_STOPS = (("hong", "kong"), ("new", "zealand"))

CENTS: dict[str, tuple[str, str]] = {
    "cent": ("USD", "EUR"), "cents": ("USD", "EUR"), "¢": ("USD", ""), "penny": ("USD", "GBP"),
    "pennies": ("USD", "GBP"), "pence": ("GBP", ""), "paise": ("INR", ""), "centimes": ("CHF", "EUR"),
}  # fmt: skip
"""Nouns of a hundredth, with the currency and another one that they may belong to."""

NOTES = {
    "fiver": (5, "GBP", "USD"), "tenner": (10, "GBP", "USD"), "dime": (0.1, "USD", ""),
    "nickel": (0.05, "USD", ""),
}  # fmt: skip
"""Nouns that hold an amount and a currency: "a fiver", "two tenners"."""
for _note in list(NOTES):
    NOTES[_note + "s"] = NOTES[_note]

HEADS = frozenset(SIGNS) | CODES | SHOUTED_CODES


def read_before(t: Tokens, text: str, i: int) -> tuple[str, int] | None:
    """Currency that stands before an amount at word i ("$", "US$ ", "EUR ", "rs."), and its first word."""
    if i == 0:
        return None
    words = t.words
    word = words[i - 1]
    if word in SIGNS:
        letters = words[i - 2] if i > 1 and t.glued(i - 1) else ""
        if word == "$" and letters in DOLLAR_SIGNS:
            return DOLLAR_SIGNS[letters], i - 2
        return SIGNS[word], i - 1
    if word in CODES or word in SHOUTED_CODES:
        code = _code(t, text, i - 1)
        return None if code is None else (code, i - 1)
    if word == "rs" or (word == "." and i > 1 and words[i - 2] == "rs" and t.glued(i - 1)):
        return "INR", i - 1 - (word == ".")
    return None


def read_after(t: Tokens, text: str, j: int) -> tuple[str | None, int] | None:
    """Currency named at word j ("dollars", "us dollars", "€", "usd", "k$"), and the index after it."""
    words = t.words
    word = words[j]
    if word in NAMES:
        if words[j + 1] == "of" and word in ("pound", "pounds"):
            return None  # A weight.
        return NAMES[word], j + 1 + (words[j + 1] in _AFTER_NAME)
    if word in SIGNS:
        return SIGNS[word], j + 1 + (word == "€" and words[j + 1] in ("ur", "uro") and t.glued(j + 1))
    if word in DOLLAR_SIGNS and words[j + 1] == "$" and t.glued(j + 1):
        return DOLLAR_SIGNS[word], j + 2
    if word in _ADJECTIVES:
        return _read_country(words, j, word)
    if word in CODES or word in SHOUTED_CODES:
        code = _code(t, text, j)
        return None if code is None else (code, j + 1)
    if word == "l" and words[j + 1] == "." and words[j + 2] == "e" and t.glued(j + 1) and t.glued(j + 2):
        return "EGP", j + 3 + (words[j + 3] == "." and t.glued(j + 3))
    for first, second in _STOPS:
        if word == first and words[j + 1] == second and words[j + 2] in ("dollar", "dollars"):
            return ("HKD" if first == "hong" else "NZD"), j + 3
    return None


def _read_country(words: list[str], j: int, adjective: str) -> tuple[str, int] | None:
    noun = words[j + 1]
    noun = noun[:-1] if noun.endswith("s") and noun[:-1] in NAMES else noun
    code = COUNTRIES.get(_BUCKS.get(noun, noun), {}).get(adjective)
    return None if code is None else (code, j + 2)


def _code(t: Tokens, text: str, k: int) -> str | None:
    said = text[t.starts[k] : t.ends[k]].upper()
    if t.words[k] in SHOUTED_CODES and said != text[t.starts[k] : t.ends[k]]:
        return None
    return _ALIASES.get(said, said)
