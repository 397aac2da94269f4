/// A grammar with weights, slots and agreement, written in a small text format.
///
/// ```text
/// # A line that begins with # is a comment.
/// syllables first: Vel Mor Tan          lists of syllables
/// names person: first middle? last      names made of them; ? makes a part optional
///
/// story:                                a rule; every indented line is an alternative, or several with | between
///   {let hero = keeper} At night {hero} climbed the hill. {^hero.they} saw {n = 2..9} stars.
///   [3] {hero = keeper} slept.          three times as likely
/// keeper:
///   {person} <they=she their=her>       a value with its agreement
///   {person} <they=he their=his>
/// color: red | green | blue             alternatives on one line
/// ```
/// A slot is `{rule}`, `{x = rule}` (binds and writes), `{let x = rule}` (binds), `{x}`, `{x.they}`, `{2..9}`, with `^`
/// for a capital letter, and `but y` for a value other than that of `y`: `{y = color} and {x = color but y}`.
/// `relation` and `problem` declare what questions are made of: see ``Relation`` and ``Calculation``.
public struct Grammar: Sendable {
    /// A rule by its name: weighted alternatives.
    struct Rule: Sendable {
        var name: String
        var alternatives: [Alternative]
        var totalWeight: Int
    }

    struct Alternative: Sendable {
        var weight: Int
        var pieces: [Piece]
        var attributes: [String: String]
    }

    enum Piece: Sendable {
        case literal(String)
        case slot(Slot)
    }

    struct Slot: Sendable {
        var variable: Int?
        var isSilent = false
        var isCapitalized = false
        var attribute: String?
        var other: Int?
        var value: Value
    }

    enum Value: Sendable {
        case rule(Int)
        case names(Int)
        case range(ClosedRange<Int>)
        case variable(Int)
    }

    /// Names are made of syllables.
    struct Names: Sendable {
        var name: String
        var parts: [(syllables: [String], isOptional: Bool)]

        /// How many different names there are.
        var count: Double {
            parts.reduce(1) { $0 * Double($1.syllables.count + ($1.isOptional ? 1 : 0)) }
        }
    }

    var rules: [Rule] = []
    var names: [Names] = []
    public internal(set) var relations: [Relation] = []
    public internal(set) var problems: [Calculation] = []
    /// Names of the variables, by their numbers.
    var variables: [String] = []
    /// Words that begin with a capital letter and stand in the grammar itself: no name is among them.
    var capitalizedWords: Set<String> = []

    public var ruleNames: [String] { rules.map(\.name) }

    func rule(named name: String) -> Int? { rules.firstIndex { $0.name == name } }
    func names(named name: String) -> Int? { names.firstIndex { $0.name == name } }
}

/// Something that is true of a subject, in the words that state it, ask for it and find it.
///
/// ```text
/// relation home of person
///   value: town
///   fact: {subject} lives in {value} | {subject} has a house in {value}
///   question: Where does {subject} live?
///   noun: the home of {subject}
///   key: home of {subject}
///   query: where {subject} lives
///   tool: search
/// ```
/// A fact is written without its full stop. `noun` names the value, so that another relation can be asked about it.
public struct Relation: Sendable {
    /// The tool that an agent asks for it.
    public enum Tool: String, Sendable, CaseIterable { case lookup, search }

    public internal(set) var name: String
    /// The names that its subjects have.
    public internal(set) var kind: String
    var subject: Int
    var value: Grammar.Value
    var facts: [Grammar.Alternative] = []
    var questions: [Grammar.Alternative] = []
    var noun: Grammar.Alternative?
    var key: Grammar.Alternative?
    var query: Grammar.Alternative?
    public internal(set) var tool = Tool.search
    /// Its values are numbers.
    var isNumber: Bool { if case .range = value { true } else { false } }
}

/// A calculation and the ways to ask for it.
///
/// ```text
/// problem sum
///   numbers: 2..99 2..99
///   expression: {a} + {b}
///   question: What is {a} plus {b}? | Add {a} and {b}.
/// ```
/// The numbers are `a`, `b`, `c` in their order.
public struct Calculation: Sendable {
    public internal(set) var name: String
    var weight = 1
    var numbers: [ClosedRange<Int>] = []
    var expressions: [Grammar.Alternative] = []
    var questions: [Grammar.Alternative] = []
}
