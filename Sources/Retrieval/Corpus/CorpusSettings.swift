internal import JSON
internal import SearchIndexes
public import System

/// Settings for cutting, analyzing, and ranking the texts of a corpus.
///
/// A corpus keeps them as JSON. What concerns cutting and analysis holds for all of its chunks: changing that means
/// adding the documents again.
public struct CorpusSettings: Hashable, Sendable {
    /// As ``ChunkerOptions`` writes itself: `recursive size=1200 overlap=200`, or `automatic`.
    public var chunker: String
    /// The name of an ``SearchIndexes/Analyzer``: `english`, `words`, `cjk`, any language of Snowball.
    public var analyzer: String
    /// Fields of the lexical index, with their weights. Without a field `title`, titles are put before the text.
    public var fields: [Field]
    /// BM25's saturation of term frequency.
    public var k1: Double
    /// BM25's normalization by length.
    public var b: Double
    /// The namespace of documents that are added without one.
    public var namespace: String
    /// False refuses documents of any other namespace.
    public var allowsNamespaces: Bool

    public init(
        chunker: String = "automatic", analyzer: String = "english", fields: [Field] = [Field("text")],
        k1: Double = 0.9,
        b: Double = 0.4, namespace: String = "default", allowsNamespaces: Bool = true
    ) {
        self.chunker = chunker
        self.analyzer = analyzer
        self.fields = fields
        self.k1 = k1
        self.b = b
        self.namespace = namespace
        self.allowsNamespaces = allowsNamespaces
    }

    /// A part of a document that the lexical index weighs by itself.
    public struct Field: Hashable, Sendable {
        /// `title`, `heading` or `text`.
        public var name: String
        public var weight: Double

        public init(_ name: String, weight: Double = 1) {
            self.name = name
            self.weight = weight
        }

        /// The fields that there are.
        public static let names = ["title", "heading", "text"]
    }

    /// - Throws: `Problem` for a chunker, an analyzer or a field that there is not, and for numbers out of
    ///   range.
    public func validate() throws(Problem) {
        try chunkerOptions().validate()
        _ = try lexical()
        guard !fields.isEmpty, Set(fields.map(\.name)).count == fields.count else {
            throw Problem(.invalid, "", "a corpus needs one to three different fields")
        }
        for field in fields {
            guard Field.names.contains(field.name) else {
                throw Problem(
                    .unknown, "", "unknown field \"\(field.name)\"",
                    remedy: "Available fields: \(Field.names.joined(separator: ", ")).")
            }
            guard field.weight.isFinite, field.weight > 0, field.weight <= 1000 else {
                throw Problem(.invalid, "", "the weight of \(field.name) must be 0 to 1000")
            }
        }
        guard k1.isFinite, k1 >= 0, k1 <= 1000, b >= 0, b <= 1 else {
            throw Problem(
                .invalid, "", "k1 = \(k1), b = \(b) is out of range for BM25", remedy: "Use k1 ≥ 0 and b from 0 to 1.")
        }
        try NamespacePolicy.check(namespace)
    }

    func chunkerOptions() throws(Problem) -> ChunkerOptions { try ChunkerOptions(parsing: chunker) }

    /// Returns the settings of the lexical index.
    func lexical() throws(Problem) -> LexicalSettings {
        guard let known = Analyzer.named(analyzer) else {
            throw Problem(
                .unknown, "", "unknown analyzer \"\(analyzer)\"",
                remedy: "Available analyzers: \(Analyzer.names.joined(separator: ", ")).")
        }
        var settings = LexicalSettings()
        settings.analyzer = known
        settings.fields = fields.map { LexicalField($0.name, boost: $0.weight) }
        settings.k1 = k1
        settings.b = b
        return settings
    }

    // MARK: JSON

    var json: String {
        var json = JSONWriter()
        json.object { json in
            json.member("chunker", chunker)
            json.member("analyzer", analyzer)
            json.objects("fields", of: fields) { field, json in
                json.member("name", field.name)
                json.member("weight", field.weight)
            }
            json.member("k1", k1)
            json.member("b", b)
            json.member("namespace", namespace)
            json.member("namespaces", allowsNamespaces)
        }
        return json.text
    }

    /// Creates settings from JSON; `nil` if the text is not an object. Missing members get their defaults.
    init?(json text: String) {
        guard let document = try? JSONDocument(parsing: text) else { return nil }
        self.init()
        document.withRoot { root in
            if let value = root["chunker"]?.string { chunker = value }
            if let value = root["analyzer"]?.string { analyzer = value }
            if let list = root["fields"] {
                fields = list.elements.map { Field($0["name"]?.string ?? "", weight: $0["weight"]?.double ?? 1) }
            }
            if let value = root["k1"]?.double { k1 = value }
            if let value = root["b"]?.double { b = value }
            if let value = root["namespace"]?.string { namespace = value }
            if let value = root["namespaces"]?.bool { allowsNamespaces = value }
        }
    }
}

/// Rules for names of namespaces.
enum NamespacePolicy {
    static func check(_ namespace: String) throws(Problem) {
        guard (1...200).contains(namespace.utf8.count), namespace.unicodeScalars.allSatisfy({ $0.value >= 0x20 }) else {
            throw Problem(
                .invalid, "", "a namespace must have 1 to 200 bytes and no control characters",
                remedy: "Choose another name.")
        }
    }
}
