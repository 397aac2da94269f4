internal import Bytes
internal import Glibc
internal import Interpretability
internal import JSON
internal import System

/// The records of a JSON file, which may be gzipped: single values, lines, or elements of an array.
final class JSONSource {
    let path: String
    private let reader: JSONRecordReader
    private let parser = JSONParser()

    /// - Throws: An error if the file cannot be opened.
    init(_ path: String) throws(Problem) {
        self.path = path
        guard let file = GzipFile(path) else {
            let problem = errno == 0 ? "not a file" : "cannot read the file: \(String(cString: strerror(errno)))"
            throw Problem(.failed, path, problem, remedy: "Check the path.")
        }
        reader = JSONRecordReader { try file.read(into: $0) }
    }

    /// Hands the next record to `body`.
    ///
    /// - Returns: `false` at the end.
    /// - Throws: An error if it is no JSON, with its line; what `body` throws.
    func next(_ body: (JSONNode, _ line: Int) throws -> Void) throws -> Bool {
        do {
            guard let record = try reader.next() else { return false }
            if case .oversized = record.ending {
                throw Problem(
                    .invalid, path, "line \(record.line): the record is \(record.length) bytes long",
                    remedy: "The limit is 64 MiB per record.")
            }
            let node: JSONNode
            do throws(JSONError) {
                node = try parser.parse(record.bytes)
            } catch {
                throw Problem(.invalid, path, "line \(record.line): invalid JSON", remedy: error.sentence)
            }
            try body(node, record.line)
            return true
        } catch let error as JSONReadError {
            throw Problem(.failed, path, "cannot read the file", remedy: error.sentence)
        }
    }

    /// Goes past a record without reading what is in it.
    func skip() throws -> Bool { try reader.next() != nil }
}
