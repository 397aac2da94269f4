import JSON
import Models
import TestFixtures
import Testing

/// What Goldens/files.py wrote.
enum FileGoldens {
    static let folder = #filePath.split(separator: "/").dropLast(2).map { "/" + $0 }.joined() + "/Goldens/files"

    /// Real models and vocabularies, which are not part of the package.
    static let shared = #filePath.split(separator: "/").dropLast(5).map { "/" + $0 }.joined() + "/shared/data/inference"

    static var hasShared: Bool { !TemporaryFolder.names(in: shared).isEmpty }

    struct Expected {
        var shape: [Int]
        var sum: Double
    }

    /// The tensors that expected.json describes.
    static func expected(_ name: String) throws -> [String: Expected] {
        let text = try #require(File.text("\(folder)/\(name)"), "\(name) is missing: run Goldens/files.py")
        return try JSONDocument(parsing: text).withRoot { root in
            var all: [String: Expected] = [:]
            for (key, value) in root.members {
                let shape = value["shape"]?.elements.compactMap { $0.int.map(Int.init) } ?? []
                all[key.string ?? ""] = Expected(shape: shape, sum: value["sum"]?.double ?? .nan)
            }
            return all
        }
    }

    /// Σ w[i] · ((7i + 3) mod 11 - 5): what the generator has summed.
    static func weightedSum(_ values: some Sequence<Float>) -> Double {
        values.enumerated().reduce(0) { $0 + Double($1.element) * Double(($1.offset * 7 + 3) % 11 - 5) }
    }
}

/// All numbers of a tensor of a checkpoint, row after row.
func numbers(_ name: String, of checkpoint: any Checkpoint) throws -> [Float] {
    let shape = try #require(checkpoint.shape(of: name), "there is no \(name)")
    switch shape.count {
    case 1: return try checkpoint.vector(name, count: shape[0])
    case 2: return rows(of: try checkpoint.matrix(name, rows: shape[0], columns: shape[1]))
    default:
        return try checkpoint.matrices(name, count: shape[0], rows: shape[1], columns: shape[2]).flatMap(rows)
    }
}

/// What opening something is answered with.
func sentence(_ body: () throws -> Void) -> String {
    do {
        try body()
        return "nothing is wrong"
    } catch {
        return (error as? ModelError)?.sentence ?? "\(error)"
    }
}
