/// General categories as numbers and sets of them as bits, for tables and patterns.
package enum GeneralCategories {
    private static let order: [(name: String, category: Unicode.GeneralCategory)] = [
        ("Lu", .uppercaseLetter), ("Ll", .lowercaseLetter), ("Lt", .titlecaseLetter), ("Lm", .modifierLetter),
        ("Lo", .otherLetter), ("Mn", .nonspacingMark), ("Mc", .spacingMark), ("Me", .enclosingMark),
        ("Nd", .decimalNumber), ("Nl", .letterNumber), ("No", .otherNumber), ("Pc", .connectorPunctuation),
        ("Pd", .dashPunctuation), ("Ps", .openPunctuation), ("Pe", .closePunctuation), ("Pi", .initialPunctuation),
        ("Pf", .finalPunctuation), ("Po", .otherPunctuation), ("Sm", .mathSymbol), ("Sc", .currencySymbol),
        ("Sk", .modifierSymbol), ("So", .otherSymbol), ("Zs", .spaceSeparator), ("Zl", .lineSeparator),
        ("Zp", .paragraphSeparator), ("Cc", .control), ("Cf", .format), ("Cs", .surrogate), ("Co", .privateUse),
        ("Cn", .unassigned),
    ]
    private static let numbers_: [Unicode.GeneralCategory: Int] = Dictionary(
        uniqueKeysWithValues: order.enumerated().map { ($0.element.category, $0.offset) })

    package static func number(of category: Unicode.GeneralCategory) -> Int { numbers_[category] ?? unassigned }

    /// Returns the categories of `\p{name}`, such as `L`, `Lu`, or `Letter`; `nil` for an unknown name.
    package static func set(named name: String) -> UInt32? {
        let short = longNames[name] ?? name
        if short == "Any" { return (1 << 30) - 1 }
        if short == "LC" || short == "L&" { return uppercase | lowercase | titlecase }
        var set: UInt32 = 0
        for (index, entry) in order.enumerated() where entry.name == short || String(entry.name.prefix(1)) == short {
            set |= 1 << UInt32(index)
        }
        return set == 0 ? nil : set
    }

    private static let longNames = [
        "Letter": "L", "Mark": "M", "Number": "N", "Punctuation": "P", "Symbol": "S", "Separator": "Z", "Other": "C",
        "Uppercase_Letter": "Lu", "Lowercase_Letter": "Ll", "Titlecase_Letter": "Lt", "Modifier_Letter": "Lm",
        "Other_Letter": "Lo", "Decimal_Number": "Nd", "Nonspacing_Mark": "Mn", "Control": "Cc",
    ]

    package static let unassigned = 29
    package static let uppercase: UInt32 = 1 << 0
    package static let lowercase: UInt32 = 1 << 1
    package static let titlecase: UInt32 = 1 << 2
    package static let modifiers: UInt32 = 1 << 3
    package static let otherLetters: UInt32 = 1 << 4
    package static let letters: UInt32 = 0b1_1111
    package static let nonspacingMarks: UInt32 = 1 << 5
    package static let marks: UInt32 = 0b111 << 5
    package static let decimals: UInt32 = 1 << 8
    package static let numbers: UInt32 = 0b111 << 8
    package static let connectors: UInt32 = 1 << 11
    package static let punctuation: UInt32 = 0b111_1111 << 11
    package static let symbols: UInt32 = 0b1111 << 18
    /// Cc, Cf, Cs and Co.
    package static let controls: UInt32 = 0b1111 << 25
    package static let word: UInt32 = letters | marks | decimals | connectors
}
