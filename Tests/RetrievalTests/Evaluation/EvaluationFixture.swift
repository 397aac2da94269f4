import JSON
import Retrieval
import TestFixtures

/// Reads `Goldens/evaluation.json`, which `evaluation_golden.py` in the same folder generates.
enum EvaluationFixture {
    static let folder = "/" + #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
    static let collection =
        "/" + #filePath.split(separator: "/").dropLast(5).joined(separator: "/") + "/shared/data/retrieval"

    static func golden() throws -> JSONDocument {
        try JSONDocument(parsing: File.bytes(folder + "/Goldens/evaluation.json") ?? [])
    }

    /// Returns the numbers of an object.
    static func numbers(_ node: JSONNode?) -> [String: Double] {
        var numbers: [String: Double] = [:]
        node?.forEachMember { numbers[$0.string ?? ""] = $1.double }
        return numbers
    }
}
