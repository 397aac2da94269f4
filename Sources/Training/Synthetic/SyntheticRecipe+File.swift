internal import Configuration
public import System
internal import TOMLKit

extension SyntheticRecipe {
    /// Reads a recipe and the grammar that it names, which is next to it.
    public init(contentsOf path: String) throws(Problem) {
        let text = try SyntheticFile.text(path)
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        try self.init(parsing: text, file: path) { name throws(Problem) in
            try SyntheticFile.text(name.hasPrefix("/") ? name : folder + name)
        }
    }

    /// - Parameter grammar: the text of the grammar of a name.
    public init(
        parsing text: String, file: String, grammar: (String) throws(Problem) -> String
    ) throws(Problem) {
        let root: TOMLTable
        do {
            root = try TOMLDocument(text).root
        } catch {
            throw Problem(.invalid, file, error.line.map { "line \($0): \(error.sentence)" } ?? error.sentence)
        }
        let reader = RecipeTable(root, file: file, place: "")
        try reader.check([
            "name", "version", "seed", "grammar", "tokens", "context", "held_out", "tokenizer", "weights", "filters",
            "deduplication", "sources", "phases", "evaluation",
        ])
        guard let grammarName = try reader.text("grammar") else { throw Problem(.missing, file, "grammar is missing") }
        self.init(grammar: try Grammar(parsing: try grammar(grammarName), file: grammarName))
        name = try reader.text("name") ?? name
        version = try reader.integer("version", 0...1_000_000) ?? version
        seed = UInt64(try reader.integer("seed", 0...Int.max) ?? 0)
        tokens = try reader.integer("tokens", 1_000...2_000_000_000) ?? tokens
        context = try reader.integer("context", 16...65_536) ?? context
        region.oneIn = UInt64(try reader.integer("held_out", 2...1_000_000) ?? 8)
        if let table = try reader.table("tokenizer", ["vocabulary", "minimum_frequency", "pattern", "sample", "file"]) {
            tokenizerText = try table.text("file").map { (name) throws(Problem) in try grammar(name) }
            vocabularySize = try table.integer("vocabulary", 257...65_535) ?? vocabularySize
            minimumFrequency = try table.integer("minimum_frequency", 0...1_000_000_000) ?? minimumFrequency
            tokenizerSample = try table.integer("sample", 1...10_000_000) ?? tokenizerSample
            pattern = try table.text("pattern") ?? pattern
            guard ["gpt2", "llama3", "qwen2"].contains(pattern) else {
                throw table.error("pattern must be gpt2, llama3, or qwen2")
            }
        }
        if let table = try reader.table("weights", ["prompt", "observation", "answer"]) {
            weights.prompt = UInt8(try table.integer("prompt", 0...255) ?? Int(weights.prompt))
            weights.observation = UInt8(try table.integer("observation", 0...255) ?? Int(weights.observation))
            weights.answer = UInt8(try table.integer("answer", 0...255) ?? Int(weights.answer))
        }
        if let table = try reader.table("filters", ["shortest", "longest", "repetition", "template_share"]) {
            filters.shortest = try table.integer("shortest", 0...1_000_000) ?? filters.shortest
            filters.longest = try table.integer("longest", 1...1_000_000) ?? filters.longest
            filters.repetition = try table.number("repetition", 0...1) ?? filters.repetition
            filters.templateShare = try table.number("template_share", 0...1) ?? filters.templateShare
        }
        if let table = try reader.table("deduplication", ["near"]) {
            nearDuplicate = try table.number("near", 0...1) ?? nearDuplicate
        }
        try readSources(reader)
        try readPhases(root, reader)
        if let table = try reader.table(
            "evaluation", ["stories", "questions", "episodes", "arithmetic", "validation"])
        {
            evaluation.stories = try table.integer("stories", 0...100_000) ?? evaluation.stories
            evaluation.questions = try table.integer("questions", 0...100_000) ?? evaluation.questions
            evaluation.episodes = try table.integer("episodes", 0...100_000) ?? evaluation.episodes
            evaluation.arithmetic = try table.integer("arithmetic", 0...100_000) ?? evaluation.arithmetic
            evaluation.validation = try table.integer("validation", 0...1_000_000_000) ?? evaluation.validation
        }
        guard evaluation.arithmetic <= evaluation.episodes else {
            throw Problem(.limit, file, "evaluation.arithmetic must be at most evaluation.episodes")
        }
    }

    private mutating func readSources(_ reader: RecipeTable) throws(Problem) {
        guard let list = try reader.table("sources", nil) else {
            throw reader.error("missing source", "Add [sources.stories] with a kind.")
        }
        for name in list.table.keys.sorted() {
            guard let table = try list.table(name, nil) else { continue }
            switch try table.text("kind") {
            case "grammar":
                try table.check(["kind", "rule", "prefix"])
                let rule = try table.text("rule") ?? name
                guard grammar.rule(named: rule) != nil else {
                    let near = NearestName.suggestion(for: rule, among: grammar.ruleNames)
                    throw table.error("the grammar has no rule \(rule)", near ?? "")
                }
                sources.append((name, .grammar(rule: rule, prefix: try table.text("prefix") ?? "")))
            case "reading":
                try table.check(["kind", "subjects", "relations", "questions", "facts", "only"])
                let only = try table.texts("only") ?? []
                for name in only where !grammar.relations.contains(where: { $0.name == name }) {
                    throw table.error("the grammar has no relation \(name)")
                }
                sources.append(
                    (
                        name,
                        .reading(
                            subjects: try table.range("subjects", 1...64) ?? 2...3,
                            relations: try table.range("relations", 1...64) ?? 1...2,
                            questions: try table.range("questions", 1...64) ?? 1...3,
                            facts: try table.integer("facts", 1...256) ?? 6, only: only)
                    ))
            case "copying":
                try table.check(["kind", "pairs", "times"])
                sources.append(
                    (
                        name,
                        .copying(
                            pairs: try table.range("pairs", 1...32) ?? 2...4,
                            times: try table.range("times", 1...32) ?? 1...3)
                    ))
            case "episodes":
                let kinds = Episode.Kind.allCases.map(\.rawValue)
                try table.check(["kind"] + kinds)
                var weights: [Episode.Kind: Int] = [:]
                for kind in Episode.Kind.allCases {
                    weights[kind] = try table.integer(kind.rawValue, 0...1_000_000) ?? 0
                }
                guard weights.values.contains(where: { $0 > 0 }) else {
                    throw table.error(
                        "no kind of episode has a weight above 0",
                        "Kinds: \(kinds.joined(separator: ", ")).")
                }
                sources.append((name, .episodes(weights)))
            default: throw table.error("kind must be grammar, reading, copying, or episodes")
            }
        }
    }

    private mutating func readPhases(_ root: TOMLTable, _ reader: RecipeTable) throws(Problem) {
        for entry in root["phases"]?.array.map(Array.init) ?? [] {
            guard let content = entry.table else { throw reader.error("a phase must be a table", "Use [[phases]].") }
            let table = RecipeTable(content, file: reader.file, place: "phases")
            try table.check(["until", "shares", "row"])
            guard let until = try table.number("until", 0...1), until > phases.last?.until ?? 0 else {
                throw table.error("until must be at most 1 and increase from phase to phase")
            }
            guard let list = try table.table("shares", sources.map(\.name)) else {
                throw table.error("shares is missing")
            }
            var shares: [String: Double] = [:]
            for (name, _) in sources { shares[name] = try list.number(name, 0...1e9) ?? 0 }
            guard shares.values.contains(where: { $0 > 0 }) else { throw table.error("no source has a share above 0") }
            phases.append(Phase(until: until, shares: shares, row: try table.integer("row", 16...context)))
        }
        if phases.isEmpty {
            phases = [Phase(until: 1, shares: Dictionary(uniqueKeysWithValues: sources.map { ($0.name, 1) }))]
        }
        phases[phases.count - 1].until = 1
    }
}

/// A table of a recipe, whose keys and values are checked as they are read.
struct RecipeTable {
    let table: TOMLTable
    let file: String
    let place: String

    init(_ table: TOMLTable, file: String, place: String) {
        self.table = table
        self.file = file
        self.place = place
    }

    func error(_ problem: String, _ remedy: String = "") -> Problem {
        Problem(.invalid, place.isEmpty ? file : "\(file), [\(place)]", problem, remedy: remedy)
    }

    func check(_ known: [String]) throws(Problem) {
        for key in table.keys where !known.contains(key) {
            let near = NearestName.suggestion(for: key, among: known)
            throw error(
                "unknown key \(key.prefix(80))",
                near ?? "Keys: \(known.joined(separator: ", ")).")
        }
    }

    func text(_ key: String) throws(Problem) -> String? {
        guard let value = table[key] else { return nil }
        guard let text = value.string else { throw error("\(key) must be a string in quotes") }
        return text
    }

    func texts(_ key: String) throws(Problem) -> [String]? {
        guard let value = table[key] else { return nil }
        guard let list = value.array.map(Array.init) else { throw error("\(key) must be an array of strings") }
        let texts = list.compactMap(\.string)
        guard texts.count == list.count else { throw error("\(key) must be an array of strings") }
        return texts
    }

    func integer(_ key: String, _ range: ClosedRange<Int>) throws(Problem) -> Int? {
        guard let value = table[key] else { return nil }
        guard let number = value.int, range.contains(number) else {
            throw error("\(key) must be an integer from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    func number(_ key: String, _ range: ClosedRange<Double>) throws(Problem) -> Double? {
        guard let value = table[key] else { return nil }
        guard let number = value.double ?? value.int.map(Double.init), range.contains(number) else {
            throw error("\(key) must be a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    func range(_ key: String, _ limits: ClosedRange<Int>) throws(Problem) -> ClosedRange<Int>? {
        guard let value = table[key] else { return nil }
        let numbers = value.array.map(Array.init)?.compactMap(\.int) ?? []
        guard numbers.count == 2, numbers[0] <= numbers[1], limits.contains(numbers[0]), limits.contains(numbers[1])
        else {
            throw error(
                "\(key) must be a minimum and a maximum, such as [2, 4], from \(limits.lowerBound) to "
                    + "\(limits.upperBound)"
            )
        }
        return numbers[0]...numbers[1]
    }

    func table(_ key: String, _ known: [String]?) throws(Problem) -> RecipeTable? {
        guard let value = table[key] else { return nil }
        guard let content = value.table else { throw error("\(key) must be a table") }
        let found = RecipeTable(content, file: file, place: place.isEmpty ? key : "\(place).\(key)")
        if let known { try found.check(known) }
        return found
    }
}
