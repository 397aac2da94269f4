import JSON
import TestFixtures
import Testing
import Tokenizers

/// Tokenizers of every family and what other libraries make of texts: Goldens/tokenizer-models.json, written by
/// tokenizer_models.py.
struct ModelGolden: CustomTestStringConvertible, Sendable {
    struct Case: Sendable {
        var text: String
        /// Without parsing special tokens.
        var ids: [TokenID]?
        var parsed: [TokenID]?
        var decoded: String?
        var offsets: [Range<Int>]?
    }

    var name: String
    /// `tokenizer.json`, or a SentencePiece model.
    var file: [UInt8]
    var isPieceModel: Bool
    var cases: [Case]
    var pair: (ids: [TokenID], types: [UInt8])?

    var testDescription: String { name }

    func tokenizer() throws -> Tokenizer {
        isPieceModel
            ? try Tokenizer(
                sentencePiece: file, configuration: Array(#"{"add_bos_token":false,"add_eos_token":false}"#.utf8))
            : try Tokenizer(json: file)
    }

    static let all: [ModelGolden] = {
        let folder = "/" + #filePath.split(separator: "/").dropLast(2).joined(separator: "/") + "/Goldens"
        guard let bytes = File.bytes(folder + "/tokenizer-models.json"),
            let document = try? JSONDocument(parsing: bytes)
        else { return [] }
        return document.withRoot { root in root.elements.map(read) }
    }()

    static func named(_ name: String) -> ModelGolden? { all.first { $0.name == name } }

    private static func read(_ node: JSONNode) -> ModelGolden {
        let model = node["model"]?.string
        return ModelGolden(
            name: node["name"]?.string ?? "",
            file: model.flatMap { decodeBase64($0) } ?? Array(node["tokenizer"]?.source ?? .init(start: nil, count: 0)),
            isPieceModel: model != nil,
            cases: (node["cases"]?.elements).map { $0.map(readCase) } ?? [],
            pair: node["pair"].map { (numbers($0["ids"]) ?? [], numbers($0["types"])?.map { UInt8($0) } ?? []) })
    }

    private static func readCase(_ node: JSONNode) -> Case {
        let flat = numbers(node["offsets"])
        return Case(
            text: node["text"]?.string ?? "", ids: numbers(node["ids"]), parsed: numbers(node["parsed"]),
            decoded: node["decoded"]?.string,
            offsets: flat.map { flat in
                stride(from: 0, to: flat.count, by: 2).map { Int(flat[$0])..<Int(flat[$0 + 1]) }
            })
    }

    private static func numbers(_ node: JSONNode?) -> [TokenID]? {
        node.map { $0.elements.map { TokenID($0.int ?? -1) } }
    }

    private static func decodeBase64(_ text: String) -> [UInt8] {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var bytes: [UInt8] = []
        var bits = 0
        var count = 0
        for byte in text.utf8 {
            guard let value = alphabet.firstIndex(of: byte) else { continue }
            bits = (bits << 6 | value) & 0xFFFF
            count += 6
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(bits >> count & 0xFF))
            }
        }
        return bytes
    }
}
