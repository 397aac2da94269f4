internal import SearchIndexes
internal import System
internal import Workspace

/// The kind of index of a space, and its parameters.
struct IndexRecipe {
    /// `automatic`, or the kind of an index.
    let kind: String
    private let values: [String: Int]
    private let alpha: Float

    /// Number of vectors below which comparing all of them is fast enough, and exact.
    static let flatLimit = 10_000

    /// Kinds with the parameters that each takes.
    private static let known: [(kind: String, parameters: [String])] = [
        ("automatic", ["m", "efConstruction", "ef"]), ("flat", []), ("hnsw", ["m", "efConstruction", "ef"]),
        ("ivf", ["lists"]), ("ivf-pq", ["lists", "parts"]), ("pq", ["parts"]), ("int8", []), ("binary", []),
        ("lsh", ["tables", "directions"]), ("vamana", ["degree", "complexity", "alpha"]),
    ]

    static var kinds: [String] { known.map(\.kind) }

    /// - Parameter parameters: `m=16 efConstruction=200`.
    init(_ kind: String, _ parameters: String) throws(Problem) {
        guard let known = Self.known.first(where: { $0.kind == kind }) else {
            throw Problem(
                .unknown, "", "unknown index \"\(kind)\"",
                remedy: "Available indexes: \(Self.kinds.joined(separator: ", ")).")
        }
        self.kind = kind
        var values: [String: Int] = [:]
        var alpha: Float = 1.2
        for word in parameters.split(whereSeparator: { $0 == " " || $0 == "," }) {
            let parts = word.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, known.parameters.contains(String(parts[0])) else {
                throw Problem(
                    .unknown, "index \(kind)", "unknown parameter \"\(word)\"",
                    remedy: known.parameters.isEmpty
                        ? "The index has no parameters."
                        : "Parameters: \(known.parameters.map { $0 + "=N" }.joined(separator: " ")).")
            }
            if parts[0] == "alpha", let number = Float(parts[1]), (1...4).contains(number) {
                alpha = number
            } else if let number = Int(parts[1]), (1...1_000_000).contains(number) {
                values[String(parts[0])] = number
            } else {
                throw Problem(.invalid, "index \(kind)", "\(word) is out of range")
            }
        }
        self.values = values
        self.alpha = alpha
        if kind == "hnsw" || kind == "automatic", !(2...128).contains(values["m"] ?? 16) {
            throw Problem(.invalid, "index \(kind)", "m must be 2 to 128")
        }
    }

    /// Returns the kind of index for `count` vectors.
    func kind(for count: Int) -> String {
        kind == "automatic" ? count < Self.flatLimit ? "flat" : "hnsw" : kind
    }

    private var graph: HNSWParameters {
        HNSWParameters(
            m: values["m"] ?? 16, efConstruction: values["efConstruction"] ?? 200, effort: values["ef"] ?? 64)
    }

    private var disk: VamanaSettings {
        VamanaSettings(degree: values["degree"] ?? 64, complexity: values["complexity"] ?? 100, alpha: alpha)
    }

    /// Returns an index over vectors that it does not know yet.
    func make(_ kind: String, _ rows: VectorRows) throws -> OpenedIndex {
        let index: any VectorIndex =
            switch kind {
            case "hnsw": try HNSWIndex(rows, parameters: graph)
            case "ivf": IVFFlatIndex(rows, lists: values["lists"])
            case "ivf-pq": try IVFPQIndex(rows, lists: values["lists"], parts: values["parts"])
            case "pq": try PQIndex(rows, parts: values["parts"])
            case "int8": try Int8Index(rows)
            case "binary": try BinaryIndex(rows)
            case "lsh": try LSHIndex(rows, tables: values["tables"] ?? 16, directions: values["directions"])
            case "vamana": VamanaIndex(rows, disk)
            default: FlatIndex(rows)
            }
        return OpenedIndex(kind: kind, index: index, seal: 0)
    }

    /// Whether a graph of another program may stand for the index.
    var takesGraph: Bool { kind == "automatic" || kind == "hnsw" }

    /// Returns an index over vectors with links that another program made.
    func adopt(_ graph: ImportedGraph, _ rows: VectorRows) throws -> OpenedIndex {
        OpenedIndex(kind: "hnsw", index: try HNSWIndex(rows, graph: graph, effort: values["ef"] ?? 64), seal: 0)
    }

    /// Reads the index of a space with its vectors, to search or to change it.
    func open(_ workspace: Workspace, space: Int64) throws -> OpenedIndex {
        let segments = try LiveSegments(workspace, index: space)
        let index: any VectorIndex
        if kind == "vamana" {
            index = try VamanaIndex(from: segments)
        } else if kind == "hnsw" {
            index = try HNSWIndex(from: segments)
        } else {
            let rows = try VectorRows(from: segments)
            switch kind {
            case "ivf": index = try IVFFlatIndex(rows, from: segments)
            case "ivf-pq": index = try IVFPQIndex(rows, from: segments)
            case "pq": index = try PQIndex(rows, from: segments)
            case "int8": index = try Int8Index(rows, from: segments)
            case "binary": index = try BinaryIndex(rows, from: segments)
            case "lsh": index = try LSHIndex(rows, from: segments)
            default: index = FlatIndex(rows)
            }
        }
        return OpenedIndex(kind: kind, index: index, seal: segments.seal)
    }
}
