package import Configuration
internal import System

/// A way from a question to passages and an answer, as a file in TOML says it.
///
/// ```swift
/// let definition = try PipelineDefinition("[dense]\nk = 20\n", path: "hybrid.toml")
/// definition.dense[0].k                                           // 20
/// try definition.changing("dense.k", to: "24").dense[0].k         // 24
/// ```
/// Every key may be left out: an empty file is a search by words and by vectors whose ranks are fused, and a context of
/// 2,000 tokens. `[dense.wide]` is one more dense stage, called `dense.wide`, which says what `[dense]` says where it
/// says nothing; the same holds for `[lexical.NAME]`. ``explained`` is a file with every key.
public struct PipelineDefinition: Hashable, Sendable {
    /// The file; for sentences.
    public var path: String
    /// Values set in the file, by key; other keys have the defaults that ``explained`` lists.
    package private(set) var said: [String: SettingValue]

    public private(set) var name: String
    public private(set) var summary: String
    /// An expression over metadata; empty lets everything through.
    public private(set) var filter: String
    public private(set) var rewrite: Rewrite
    /// Stages that search by words; those that are switched off are left out.
    public private(set) var lexical: [Lexical]
    public private(set) var dense: [Dense]
    public private(set) var fusion: Fusion
    public private(set) var rerank: Rerank
    public private(set) var context: Context
    public private(set) var answer: Answer

    public struct Rewrite: Hashable, Sendable {
        public var queries: Int
        public var hypothetical: Int
        public var model: String
        public var tokens: Int

        public var isNeeded: Bool { queries > 0 || hypothetical > 0 }
    }

    public struct Lexical: Hashable, Sendable {
        /// `lexical`, or `lexical.titles`: the stage's name, and the section of its keys.
        public var name: String
        public var k: Int
        public var fields: [LexicalRequest.Field]
        public var k1: Double?
        public var b: Double?
        public var phrases: LexicalRequest.Phrases
        public var weight: Double
    }

    public struct Dense: Hashable, Sendable {
        public var name: String
        public var k: Int
        /// Nil takes the first of the corpus.
        public var space: String?
        public var isExact: Bool
        public var ef: Int?
        public var nprobe: Int?
        public var rescored: Int?
        public var weight: Double

        /// Returns the search effort for an index, from the key that applies to it.
        public func effort(of space: DenseSpace?) -> Int? {
            switch space?.effortKey {
            case "ef": ef
            case "nprobe": nprobe
            default: nil
            }
        }
    }

    public struct Fusion: Hashable, Sendable {
        public enum Method: String, Sendable {
            case reciprocalRank = "rrf"
            case weighted
            case minMax = "min-max"
        }

        public var method: Method
        public var k: Double
        /// 0: all that were kept.
        public var depth: Int
        public var keep: Int
    }

    public struct Rerank: Hashable, Sendable {
        public enum Method: String, Sendable {
            case none
            case crossEncoder = "cross-encoder"
            case marginalRelevance = "mmr"
            case maximumSimilarity = "maxsim"
            case languageModel = "language-model"
        }

        public var method: Method
        public var model: String
        public var space: String?
        public var depth: Int
        public var keep: Int
        public var lambda: Double
        public var isListwise: Bool

        /// Whether the pipeline calls a cross-encoder or a language model.
        public var callsModel: Bool { method == .crossEncoder || method == .languageModel }
    }

    public struct Context: Hashable, Sendable {
        public enum Unit: String, Sendable { case tokens, characters }
        public enum Order: String, Sendable { case score, edges, document }

        /// 0: any.
        public var budget: Int
        public var unit: Unit
        public var order: Order
        public var deduplicates: Bool
        public var similarity: Double
        public var expandsToParent: Bool
    }

    public struct Answer: Hashable, Sendable {
        /// Empty: nothing is answered.
        public var model: String
        public var prompt: String
        public var citations: Bool
        public var tokens: Int
    }

    /// - Throws: `Problem` for what single keys cannot say.
    init(_ values: SettingValues) throws(Problem) {
        path = values.path
        said = values.said
        let given = values.text("pipeline.name")
        name = given.isEmpty ? Self.fileName(path) : given
        summary = values.text("pipeline.description")
        filter = values.text("filter.expression")
        rewrite = Rewrite(
            queries: values.integer("rewrite.queries"), hypothetical: values.integer("rewrite.hypothetical"),
            model: values.text("rewrite.model"), tokens: values.integer("rewrite.tokens"))
        lexical = []
        for stage in values.sections(of: "lexical") where values.flag("\(stage).enabled") {
            lexical.append(try Lexical(stage, values))
        }
        dense = values.sections(of: "dense").filter { values.flag("\($0).enabled") }.map { Dense($0, values) }
        fusion = Fusion(
            method: values.choice("fusion.method"), k: values.number("fusion.k"),
            depth: values.integer("fusion.depth"), keep: values.integer("fusion.keep"))
        let space = values.text("rerank.space")
        rerank = Rerank(
            method: values.choice("rerank.method"), model: values.text("rerank.model"),
            space: space.isEmpty ? nil : space, depth: values.integer("rerank.depth"),
            keep: values.integer("rerank.keep"), lambda: values.number("rerank.lambda"),
            isListwise: values.text("rerank.style") == "listwise")
        context = Context(
            budget: values.integer("context.budget"), unit: values.choice("context.unit"),
            order: values.choice("context.order"), deduplicates: values.flag("context.deduplicate"),
            similarity: values.number("context.similarity"), expandsToParent: values.text("context.expand") == "parent")
        answer = Answer(
            model: values.text("answer.model"), prompt: values.text("answer.prompt"),
            citations: values.flag("answer.citations"), tokens: values.integer("answer.tokens"))
        try check(values)
    }

    private func check(_ values: SettingValues) throws(Problem) {
        if lexical.isEmpty, dense.isEmpty {
            throw values.problem("dense.enabled", "no search stage is enabled", "Enable [lexical] or [dense].")
        }
        if rewrite.isNeeded, rewrite.model.isEmpty {
            throw values.problem(
                rewrite.queries > 0 ? "rewrite.queries" : "rewrite.hypothetical",
                "rewrite.model is missing", "Name a language model.")
        }
        if rerank.model.isEmpty, rerank.callsModel {
            throw values.problem(
                "rerank.method", "rerank.method \"\(rerank.method.rawValue)\" needs a model", "Set rerank.model."
            )
        }
        if !answer.prompt.isEmpty, !answer.prompt.contains("{context}") || !answer.prompt.contains("{question}") {
            throw values.problem(
                "answer.prompt", "answer.prompt must contain {context} and {question}", "Add both placeholders.")
        }
    }

    private static func fileName(_ path: String) -> String {
        let file = path[(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)...]
        return String(file.hasSuffix(".toml") ? file.dropLast(5) : file)
    }
}

extension PipelineDefinition.Lexical {
    fileprivate init(_ stage: String, _ values: SettingValues) throws(Problem) {
        var fields: [LexicalRequest.Field] = []
        for text in values.texts("\(stage).fields") {
            let parts = text.split(separator: "^", omittingEmptySubsequences: false)
            let weight = parts.count == 2 ? Double(parts[1]) : 1
            guard parts.count <= 2, !parts[0].isEmpty, let weight, weight >= 0, weight.isFinite else {
                throw values.problem(
                    "\(stage).fields", "invalid field \"\(text)\"",
                    "Use NAME or NAME^WEIGHT, such as title^2.")
            }
            fields.append(LexicalRequest.Field(name: String(parts[0]), weight: weight))
        }
        self.init(
            name: stage, k: values.integer("\(stage).k"), fields: fields, k1: values.optionalNumber("\(stage).k1"),
            b: values.optionalNumber("\(stage).b"), phrases: values.choice("\(stage).phrases"),
            weight: values.number("\(stage).weight"))
    }
}

extension PipelineDefinition.Dense {
    fileprivate init(_ stage: String, _ values: SettingValues) {
        let space = values.text("\(stage).space")
        self.init(
            name: stage, k: values.integer("\(stage).k"), space: space.isEmpty ? nil : space,
            isExact: values.flag("\(stage).exact"), ef: values.optionalInteger("\(stage).ef"),
            nprobe: values.optionalInteger("\(stage).nprobe"), rescored: values.optionalInteger("\(stage).rescore"),
            weight: values.number("\(stage).weight"))
    }
}
