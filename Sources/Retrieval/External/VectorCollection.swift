public import JSON
public import SearchIndexes
public import System

/// A named set of vectors on a server.
public struct VectorCollection: Hashable, Sendable {
    /// Small letters, digits and underscores; it becomes the name of a table.
    public let name: String
    public let dimension: Int
    public let metric: Metric
    /// Neighbors of a node of the graph.
    public var m: Int
    /// Candidates while the graph is built.
    public var efConstruction: Int
    /// Origin of the vectors; `nil` if unknown.
    public var origin: Origin?

    /// The corpus and the embedder that the vectors of a collection come from.
    public struct Origin: Hashable, Sendable {
        /// Name of the corpus when it was pushed.
        public var corpus: String
        /// Unique identity of the corpus, across all workspaces.
        public var identity: String
        /// Name of the embedder; `digest` identifies it.
        public var embedder: String
        public var digest: String

        public init(corpus: String, identity: String, embedder: String, digest: String) {
            self.corpus = corpus
            self.identity = identity
            self.embedder = embedder
            self.digest = digest
        }
    }

    /// - Throws: `Problem` for a name or a width that cannot be one.
    public init(
        _ name: String, dimension: Int, metric: Metric, m: Int = 16, efConstruction: Int = 64, origin: Origin? = nil
    ) throws(Problem) {
        try Self.check(name)
        guard (1...65_536).contains(dimension) else {
            throw Problem(.invalid, name, "dimension \(dimension) is out of range")
        }
        self.name = name
        self.dimension = dimension
        self.metric = metric
        self.m = m
        self.efConstruction = efConstruction
        self.origin = origin
    }

    /// - Throws: `Problem` for a name that cannot be one.
    static func check(_ name: String) throws(Problem) {
        let isAllowed = name.utf8.allSatisfy { isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "_") }
        guard isAllowed, let first = name.utf8.first, isLetter(first), name.utf8.count <= 50 else {
            throw Problem(
                .invalid, name, "invalid collection name",
                remedy: "Use at most 50 lowercase letters, digits, and underscores, starting with a letter.")
        }
    }

    /// Returns the name for a collection that is nearest to that of a corpus.
    public static func name(for corpus: String) -> String {
        var name = corpus.lowercased().unicodeScalars.map { scalar -> String in
            guard scalar.isASCII, let byte = UInt8(exactly: scalar.value), isLetter(byte) || isDigit(byte) else {
                return "_"
            }
            return String(scalar)
        }.joined()
        if name.utf8.first.map(isLetter) != true { name = "c_" + name }
        return String(name.prefix(50))
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }
    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    /// Throws an error if the known collection of this name has another dimension or metric.
    func refuse(unless known: VectorCollection, on server: String) throws(Problem) {
        guard known.dimension != dimension || known.metric != metric else { return }
        throw Problem(
            .invalid, server,
            "\(name) contains \(known.metric.rawValue) vectors of \(known.dimension) dimensions, not "
                + "\(metric.rawValue) vectors of \(dimension)", remedy: "Push under another name.")
    }

    /// A row or a question of another width is refused before it is sent.
    func check(_ vector: [Float], _ what: String, on server: String) throws(Problem) {
        guard vector.count == dimension else {
            throw Problem(.invalid, server, "\(what) has \(vector.count) dimensions, \(name) has \(dimension)")
        }
        guard vector.allSatisfy(\.isFinite) else {
            throw Problem(.invalid, server, "\(what) contains a number that is not finite")
        }
    }
}

extension VectorCollection.Origin: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        json.object {
            $0.member("corpus", corpus)
            $0.member("identity", identity)
            $0.member("embedder", embedder)
            $0.member("digest", digest)
        }
    }

    /// Reads the form that ``write(to:)`` writes; `nil` if the node has another form.
    init?(_ node: JSONNode?) {
        guard let identity = node?["identity"]?.string, let digest = node?["digest"]?.string else { return nil }
        self.init(
            corpus: node?["corpus"]?.string ?? "", identity: identity, embedder: node?["embedder"]?.string ?? "",
            digest: digest)
    }
}
