internal import Configuration
public import System
internal import TOMLKit

extension SyntheticRecipe {
    /// Reads a recipe and the grammar that it names, which is next to it.
    public init(contentsOf path: String) throws(Problem) {
        let text = try SmallFile.text(path)
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        try self.init(parsing: text, file: path) { name throws(Problem) in
            try SmallFile.text(name.hasPrefix("/") ? name : folder + name)
        }
    }

    /// - Parameter grammar: the text of the grammar of a name.
    public init(
        parsing text: String, file: String, grammar: (String) throws(Problem) -> String
    ) throws(Problem) {
        let reader = try TOMLSection(parsing: text, file: file)
        try Self.schema.check(reader)
        guard let grammarName = try reader.text("grammar") else { throw Problem(.missing, file, "grammar is missing") }
        self.init(grammar: try Grammar(parsing: try grammar(grammarName), file: grammarName))
        try Self.schema.read(reader, into: &self)
        region.oneIn = try reader.integer("held_out", 2...1_000_000) ?? 8
        if let name = try reader.section("tokenizer")?.text("file") { tokenizerText = try grammar(name) }
        try readSources(reader)
        try readPhases(reader)
        guard evaluation.arithmetic <= evaluation.episodes else {
            throw Problem(.limit, file, "evaluation.arithmetic must be at most evaluation.episodes")
        }
    }

    private static var schema: Schema<SyntheticRecipe> {
        var schema = Schema<SyntheticRecipe>()
        schema.key("name", \.name, help: "Name of the recipe.")
        schema.key("version", \.version, in: 0...1_000_000, help: "Version of the recipe.")
        schema.key("seed", \.seed, in: 0...UInt64(Int.max), help: "Seed of the random numbers.")
        schema.other("grammar", help: "File of the grammar.")
        schema.key("tokens", \.tokens, in: 1_000...2_000_000_000, help: "Tokens to write.")
        schema.key("context", \.context, in: 16...65_536, help: "Tokens per row.")
        schema.other("held_out", help: "One of this many combinations is held out.")
        schema.table("tokenizer", \.self, help: "Tokenizer to train, or its file.") { table in
            table.key("vocabulary", \.vocabularySize, in: 257...65_535, help: "Number of tokens.")
            table.key("minimum_frequency", \.minimumFrequency, in: 0...1_000_000_000, help: "Minimum count of a pair.")
            table.key("pattern", \.pattern, among: ["gpt2", "llama3", "qwen2"], help: "Pattern that splits text.")
            table.key("sample", \.tokenizerSample, in: 1...10_000_000, help: "Documents to train on.")
            table.other("file", help: "File of a trained tokenizer.")
        }
        schema.table("weights", \.weights, help: "Loss weights by role.") { table in
            table.key("prompt", \.prompt, in: 0...255, help: "Weight of prompts.")
            table.key("observation", \.observation, in: 0...255, help: "Weight of observations.")
            table.key("answer", \.answer, in: 0...255, help: "Weight of answers.")
        }
        schema.table("filters", \.filters, help: "Limits on the quality of documents.") { table in
            table.key("shortest", \.shortest, in: 0...1_000_000, help: "Minimum length.")
            table.key("longest", \.longest, in: 1...1_000_000, help: "Maximum length.")
            table.key("repetition", \.repetition, in: 0...1, help: "Maximum share of repeated text.")
            table.key("template_share", \.templateShare, in: 0...1, help: "Maximum share of one template.")
        }
        schema.table("deduplication", \.self, help: "Removal of near duplicates.") { table in
            table.key("near", \.nearDuplicate, in: 0...1, help: "Similarity of near duplicates.")
        }
        schema.other("sources", help: "Kinds of documents.")
        schema.other("phases", help: "Shares of the sources by phase.")
        schema.table("evaluation", \.evaluation, help: "Sizes of the evaluation sets.") { table in
            for (name, path) in [
                ("stories", \EvaluationCounts.stories), ("questions", \.questions), ("episodes", \.episodes),
                ("arithmetic", \.arithmetic),
            ] { table.key(name, path, in: 0...100_000, help: "Number of \(name).") }
            table.key("validation", \.validation, in: 0...1_000_000_000, help: "Number of validation tokens.")
        }
        return schema
    }

    private mutating func readSources(_ reader: TOMLSection) throws(Problem) {
        guard let list = try reader.section("sources") else {
            throw reader.error("missing source", "Add [sources.stories] with a kind.")
        }
        for name in list.table.keys.sorted() {
            guard let table = try list.section(name) else { continue }
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

    private mutating func readPhases(_ reader: TOMLSection) throws(Problem) {
        for entry in reader.table["phases"]?.array.map(Array.init) ?? [] {
            guard let content = entry.table else { throw reader.error("a phase must be a table", "Use [[phases]].") }
            let table = TOMLSection(content, file: reader.file, place: "phases")
            try table.check(["until", "shares", "row"])
            guard let until = try table.number("until", 0...1), until > phases.last?.until ?? 0 else {
                throw table.error("until must be at most 1 and increase from phase to phase")
            }
            guard let list = try table.section("shares", sources.map(\.name)) else {
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
