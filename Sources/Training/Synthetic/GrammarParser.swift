internal import Configuration
public import System

/// Reads the text of a grammar; see ``Grammar`` for the format.
struct GrammarParser {
    private let file: String
    private var grammar = Grammar()
    private var syllables: [String: [String]] = [:]
    private var open = Open.nothing
    private var line = 0
    /// References that are looked up when everything is known: what they name and where they stand.
    private var references: [(name: String, line: Int)] = []

    private enum Open {
        case nothing
        case rule(Int)
        case relation(Int)
        case problem(Int)
    }

    static let mostAlternatives = 100_000

    init(file: String) { self.file = file }

    mutating func parse(_ text: String) throws(Problem) -> Grammar {
        // Rules are named first, so that a slot may name one that is written further down.
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        try declare(lines)
        line = 0
        for content in lines {
            line += 1
            try read(content)
        }
        try check()
        return grammar
    }

    private mutating func declare(_ lines: [Substring]) throws(Problem) {
        var seen: [String: Int] = [:]
        for content in lines {
            line += 1
            guard let first = content.first, first != " ", first != "#", first != "\t" else { continue }
            let head = content.prefix(upTo: content.firstIndex(of: ":") ?? content.endIndex).split(separator: " ").map(
                String.init)
            guard let word = head.first else { continue }
            switch word {
            case "syllables", "relation", "problem": continue
            case "names":
                guard head.count == 2 else { throw error("invalid names. Example: names person: first middle? last") }
                grammar.names.append(Grammar.Names(name: head[1], parts: []))
                try note(head[1], &seen)
            default:
                guard head.count == 1, content.contains(":") else {
                    throw error("a rule must start with its name and a colon, such as story:")
                }
                grammar.rules.append(Grammar.Rule(name: word, alternatives: [], totalWeight: 0))
                try note(word, &seen)
            }
        }
    }

    private func note(_ name: String, _ seen: inout [String: Int]) throws(Problem) {
        if let before = seen[name] { throw error("duplicate name \(name), first defined on line \(before)") }
        seen[name] = line
    }

    private mutating func read(_ content: Substring) throws(Problem) {
        let text = content.trimmed
        if text.isEmpty || text.first == "#" { return }
        if content.first == " " || content.first == "\t" { return try readIndented(text) }
        open = .nothing
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let head = parts[0].split(separator: " ").map(String.init)
        let rest = parts.count > 1 ? parts[1].trimmed : ""
        switch head[0] {
        case "syllables":
            guard head.count == 2 else { throw error("invalid syllables. Example: syllables first: Vel Mor Tan") }
            syllables[head[1]] = rest.split(separator: " ").map(String.init)
        case "names": try readNames(head[1], rest)
        case "relation":
            guard head.count == 4, head[2] == "of" else {
                throw error("invalid relation. Example: relation home of person")
            }
            let relation = Relation(
                name: head[1], kind: head[3], subject: variable("subject"), value: .variable(variable("value")))
            grammar.relations.append(relation)
            open = .relation(grammar.relations.count - 1)
        case "problem":
            guard head.count == 2 else { throw error("invalid problem. Example: problem sum") }
            grammar.problems.append(Calculation(name: head[1]))
            open = .problem(grammar.problems.count - 1)
        default:
            guard let rule = grammar.rule(named: head[0]) else { return }
            open = .rule(rule)
            if !rest.isEmpty {
                for part in rest.components(by: " | ") { try add(part, to: rule) }
            }
        }
    }

    private mutating func readIndented(_ text: String) throws(Problem) {
        switch open {
        case .nothing: throw error("an indented line must follow a rule, a relation, or a problem")
        case .rule(let rule): for part in text.components(by: " | ") { try add(part, to: rule) }
        case .relation(let index): try readField(text, relation: index)
        case .problem(let index): try readField(text, problem: index)
        }
    }

    private mutating func add(_ text: String, to rule: Int) throws(Problem) {
        let alternative = try alternative(text)
        grammar.rules[rule].alternatives.append(alternative)
        grammar.rules[rule].totalWeight += alternative.weight
        guard grammar.rules[rule].alternatives.count <= Self.mostAlternatives else {
            throw error("a rule can have at most \(Self.mostAlternatives) alternatives")
        }
    }

    private mutating func readNames(_ name: String, _ text: String) throws(Problem) {
        guard let index = grammar.names(named: name) else { return }
        for part in text.split(separator: " ") {
            let isOptional = part.last == "?"
            let list = String(isOptional ? part.dropLast() : part)
            guard let found = syllables[list], !found.isEmpty else {
                throw error("unknown syllable list \(list). Define it above this line")
            }
            grammar.names[index].parts.append((found, isOptional))
        }
        guard grammar.names[index].parts.contains(where: { !$0.isOptional }) else {
            throw error("the names \(name) need at least one required part")
        }
    }

    private func field(_ text: String) throws(Problem) -> (String, String) {
        guard let colon = text.firstIndex(of: ":") else { throw error("invalid field. Example: fact: text | text") }
        return (text[..<colon].trimmed, text[text.index(after: colon)...].trimmed)
    }

    private mutating func readField(_ text: String, relation index: Int) throws(Problem) {
        let (name, value) = try field(text)
        switch name {
        case "value": grammar.relations[index].value = try self.value(value)
        case "fact": grammar.relations[index].facts += try alternatives(value)
        case "question": grammar.relations[index].questions += try alternatives(value)
        case "noun": grammar.relations[index].noun = try alternative(value)
        case "key": grammar.relations[index].key = try alternative(value)
        case "query": grammar.relations[index].query = try alternative(value)
        case "tool":
            guard let tool = Relation.Tool(rawValue: value) else { throw error("tool must be lookup or search") }
            grammar.relations[index].tool = tool
        default:
            throw error(
                "unknown field \(name) in a relation",
                hint(name, ["value", "fact", "question", "noun", "key", "query", "tool"]))
        }
    }

    private mutating func readField(_ text: String, problem index: Int) throws(Problem) {
        let (name, value) = try field(text)
        switch name {
        case "numbers":
            for part in value.split(separator: " ") {
                guard let range = Self.range(part) else { throw error("\(part) is not a range such as 2..99") }
                grammar.problems[index].numbers.append(range)
            }
            guard (1...4).contains(grammar.problems[index].numbers.count) else {
                throw error("a problem needs one to four numbers")
            }
        case "weight":
            guard let weight = Int(value), (1...1_000_000).contains(weight) else {
                throw error("weight must be 1 to 1,000,000")
            }
            grammar.problems[index].weight = weight
        case "expression": grammar.problems[index].expressions += try alternatives(value)
        case "question": grammar.problems[index].questions += try alternatives(value)
        default:
            throw error(
                "unknown field \(name) in a problem", hint(name, ["numbers", "weight", "expression", "question"]))
        }
    }

    private func hint(_ name: String, _ names: [String]) -> String {
        NearestName.suggestion(for: name, among: names)
            ?? "Fields: \(names.joined(separator: ", "))."
    }
}

// MARK: - Alternatives and slots

extension GrammarParser {
    private mutating func alternatives(_ text: String) throws(Problem) -> [Grammar.Alternative] {
        var found: [Grammar.Alternative] = []
        for part in text.components(by: " | ") { found.append(try alternative(part)) }
        return found
    }

    private mutating func alternative(_ text: String) throws(Problem) -> Grammar.Alternative {
        var rest = text[...]
        var weight = 1
        if rest.first == "[", let end = rest.firstIndex(of: "]"),
            let number = Int(rest[rest.index(after: rest.startIndex)..<end])
        {
            guard (1...1_000_000).contains(number) else { throw error("a weight must be 1 to 1,000,000") }
            weight = number
            rest = rest[rest.index(after: end)...].drop { $0 == " " }
        }
        var attributes: [String: String] = [:]
        if rest.last == ">", let start = rest.lastIndex(of: "<") {
            for pair in rest[rest.index(after: start)...].dropLast().split(separator: " ") {
                let sides = pair.split(separator: "=", maxSplits: 1)
                guard sides.count == 2 else { throw error("invalid agreement. Example: <they=she their=her>") }
                attributes[String(sides[0])] = String(sides[1].map { $0 == "_" ? " " : $0 })
            }
            rest = rest[..<start].trimmed[...]
        }
        var pieces: [Grammar.Piece] = []
        while let brace = rest.firstIndex(of: "{") {
            if brace > rest.startIndex { pieces.append(literal(rest[..<brace])) }
            guard let end = rest[brace...].firstIndex(of: "}") else { throw error("unclosed {") }
            pieces.append(.slot(try slot(rest[rest.index(after: brace)..<end].trimmed)))
            rest = rest[rest.index(after: end)...]
        }
        if !rest.isEmpty { pieces.append(literal(rest)) }
        return Grammar.Alternative(weight: weight, pieces: pieces, attributes: attributes)
    }

    private mutating func literal(_ text: Substring) -> Grammar.Piece {
        for word in CapitalizedWords(text) { grammar.capitalizedWords.insert(String(word)) }
        return .literal(String(text).components(by: "\\n").joined(separator: "\n"))
    }

    private mutating func slot(_ text: String) throws(Problem) -> Grammar.Slot {
        var rest = text[...]
        var slot = Grammar.Slot(value: .range(0...0))
        if rest.hasPrefix("let ") {
            slot.isSilent = true
            rest = rest.dropFirst(4)
        }
        if let equals = rest.firstIndex(of: "=") {
            let name = rest[..<equals].trimmed
            guard !name.isEmpty, !name.contains(" ") else { throw error("{\(text)} has no name to bind") }
            guard grammar.rule(named: name) == nil, grammar.names(named: name) == nil else {
                throw error("{\(text)} binds \(name), which is the name of a rule. Choose a different name")
            }
            slot.variable = variable(name)
            rest = rest[rest.index(after: equals)...]
        } else if slot.isSilent {
            throw error("{\(text)} is invalid. Example: {let x = rule}")
        }
        var words = rest.split(separator: " ").map(String.init)
        if words.count == 3, words[1] == "but" {
            slot.other = variable(words[2])
            words = [words[0]]
        }
        guard words.count == 1, var name = words.first else { throw error("{\(text)} is not a valid slot") }
        if name.first == "^" {
            slot.isCapitalized = true
            name.removeFirst()
        }
        if Self.range(name) == nil, let dot = name.firstIndex(of: ".") {
            slot.attribute = String(name[name.index(after: dot)...])
            name = String(name[..<dot])
        }
        slot.value = try value(name)
        return slot
    }

    private mutating func value(_ name: String) throws(Problem) -> Grammar.Value {
        if let range = Self.range(name) { return .range(range) }
        if let rule = grammar.rule(named: name) { return .rule(rule) }
        if let names = grammar.names(named: name) { return .names(names) }
        guard !name.isEmpty, !name.contains(" ") else { throw error("\"\(name)\" is neither a rule nor a variable") }
        references.append((name, line))
        return .variable(variable(name))
    }

    private mutating func variable(_ name: String) -> Int {
        if let index = grammar.variables.firstIndex(of: name) { return index }
        grammar.variables.append(name)
        return grammar.variables.count - 1
    }

    static func range(_ text: some StringProtocol) -> ClosedRange<Int>? {
        let sides = String(text).components(by: "..")
        guard sides.count == 2, let low = Int(sides[0]), let high = Int(sides[1]), low <= high,
            low >= -1_000_000_000, high <= 1_000_000_000
        else { return nil }
        return low...high
    }

    private func error(_ problem: String, _ remedy: String = "") -> Problem {
        Problem(.invalid, "\(file), line \(line)", problem, remedy: remedy)
    }

    /// What can be known only once all of the text is read.
    private mutating func check() throws(Problem) {
        var bound: Set<Int> = []
        for name in ["subject", "value", "a", "b", "c", "d"] {
            if let index = grammar.variables.firstIndex(of: name) { bound.insert(index) }
        }
        for rule in grammar.rules {
            guard rule.totalWeight > 0 else {
                throw Problem(.missing, file, "the rule \(rule.name) has no alternative")
            }
            for alternative in rule.alternatives {
                for value in alternative.attributes.values {
                    for word in CapitalizedWords(value.prefix(1).uppercased() + value.dropFirst()) {
                        grammar.capitalizedWords.insert(String(word))
                    }
                }
                for case .slot(let slot) in alternative.pieces {
                    if let variable = slot.variable { bound.insert(variable) }
                }
            }
        }
        for (name, line) in references {
            guard let index = grammar.variables.firstIndex(of: name), !bound.contains(index) else { continue }
            let near = NearestName.to(
                name, among: grammar.ruleNames + grammar.names.map(\.name) + grammar.variables.filter { $0 != name }
            )
            throw Problem(
                .invalid, "\(file), line \(line)", "{\(name)} is not a rule, names, or a bound variable",
                remedy: near.map { NearestName.question(["{\($0)}"]) } ?? "")
        }
        for relation in grammar.relations {
            let missing =
                relation.facts.isEmpty
                ? "fact"
                : relation.questions.isEmpty
                    ? "question" : relation.key == nil ? "key" : relation.query == nil ? "query" : nil
            if let missing { throw Problem(.missing, file, "the relation \(relation.name) has no \(missing)") }
            if case .variable = relation.value {
                throw Problem(.missing, file, "the relation \(relation.name) has no value")
            }
            guard grammar.names(named: relation.kind) != nil else {
                throw Problem(
                    .missing, file,
                    "the relation \(relation.name) needs the name list \(relation.kind), which is missing")
            }
        }
        for problem in grammar.problems
        where problem.expressions.isEmpty || problem.questions.isEmpty || problem.numbers.isEmpty {
            throw Problem(.invalid, file, "the problem \(problem.name) needs numbers, an expression, and a question")
        }
    }
}

extension Grammar {
    /// Reads a grammar.
    ///
    /// - Parameter file: what errors call it.
    public init(parsing text: String, file: String) throws(Problem) {
        var parser = GrammarParser(file: file)
        self = try parser.parse(text)
    }
}
