/// Bounds of quality measures for texts worth keeping. They drop nothing: a report lists values out of bounds.
public struct QualityRules: Hashable, Sendable {
    /// A measure with its bounds.
    public struct Rule: Hashable, Sendable {
        public var measure: QualityMeasure
        public var least: Double?
        public var most: Double?
        /// Source of the rule.
        public var source: String
        /// Minimum number of words for the rule to apply, because any word is a large share of a short text.
        public var fromWords: Double

        public init(
            _ measure: QualityMeasure, least: Double? = nil, most: Double? = nil, source: String, fromWords: Double = 0
        ) {
            self.fromWords = fromWords
            self.measure = measure
            self.least = least
            self.most = most
            self.source = source
        }
    }

    public var name: String
    public var rules: [Rule]

    public init(name: String, rules: [Rule]) {
        self.name = name
        self.rules = rules
    }

    /// The rules of Gopher's MassiveText: Rae et al., "Scaling language models", 2021, section A.1.1 and table A1.
    public static let gopher = QualityRules(
        name: "gopher",
        rules: gopherQuality + [
            Rule(.duplicateLines, most: 0.3, source: gopherName),
            Rule(.duplicateParagraphs, most: 0.3, source: gopherName),
            Rule(.duplicateLineCharacters, most: 0.2, source: gopherName),
            Rule(.duplicateParagraphCharacters, most: 0.2, source: gopherName),
        ]
            + zip(2...4, [0.2, 0.18, 0.16]).map { Rule(.topRun($0), most: $1, source: gopherName) }
            + zip(5...10, [0.15, 0.14, 0.13, 0.12, 0.11, 0.1]).map {
                Rule(.duplicateRuns($0), most: $1, source: gopherName)
            })

    private static let gopherName = "Gopher, table A1"
    private static let gopherQuality: [Rule] = [
        Rule(.words, least: 50, most: 100_000, source: "Gopher, A.1.1"),
        Rule(.meanWordLength, least: 3, most: 10, source: "Gopher, A.1.1"),
        Rule(.hashSigns, most: 0.1, source: "Gopher, A.1.1"),
        Rule(.ellipses, most: 0.1, source: "Gopher, A.1.1"),
        Rule(.bulletLines, most: 0.9, source: "Gopher, A.1.1"),
        Rule(.ellipsisLines, most: 0.3, source: "Gopher, A.1.1"),
        Rule(.alphabeticWords, least: 0.8, source: "Gopher, A.1.1"),
        Rule(.stopWords, least: 2, source: "Gopher, A.1.1"),
    ]

    /// The rules of C4 that need no list of words: Raffel et al., JMLR 21(140), 2020, section 2.2. It drops unfinished
    /// lines one by one; here a text is named where most of its lines are.
    public static let c4 = QualityRules(
        name: "c4",
        rules: [
            Rule(.sentences, least: 3, source: "C4, 2.2"), Rule(.fillerText, most: 0, source: "C4, 2.2"),
            Rule(.curlyBrackets, most: 0, source: "C4, 2.2"), Rule(.finishedLines, least: 0.5, source: "C4, 2.2"),
        ])

    /// Gopher's rules, and menus at most a twentieth of the words: Penedo et al., "The RefinedWeb dataset", 2023, G.2.
    public static let refinedWeb = QualityRules(
        name: "refinedweb",
        rules: gopher.rules + [Rule(.menuWords, most: 0.05, source: "RefinedWeb, G.2")])

    /// Rules for documents that a user chose to add: they find empty, noisy, or repetitive texts. The bounds are
    /// Gopher's, but for the number of words, and stop words, which short texts and tables do not have.
    public static let chosenDocuments = QualityRules(
        name: "chosen-documents",
        rules: [
            Rule(.words, least: 5, source: "Orrery: shorter texts cannot answer a question"),
            Rule(.meanWordLength, least: 2, most: 15, source: "Orrery: wider than Gopher, for code and tables"),
            Rule(.fillerText, most: 0, source: "C4, 2.2"),
        ]
            + gopher.rules.filter { $0.source == gopherName }.map { rule in
                var long = rule
                long.fromWords = 100
                return long
            })

    /// The ones that have a name.
    public static let named: [QualityRules] = [chosenDocuments, gopher, c4, refinedWeb]
}
