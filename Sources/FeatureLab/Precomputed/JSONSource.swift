internal import CZlib
internal import Glibc
internal import Interpretability
internal import JSON
internal import System

/// The records of a JSON file, which may be gzipped: single values, lines, or elements of an array.
final class JSONSource {
    let path: String
    private let file: gzFile
    private let reader: JSONRecordReader
    private let parser = JSONParser()

    /// - Throws: An error if the file cannot be opened.
    init(_ path: String) throws(Problem) {
        self.path = path
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, let file = gzopen(path, "rb") else {
            let problem = errno == 0 ? "not a file" : "cannot read the file: \(String(cString: strerror(errno)))"
            throw Problem(.failed, path, problem, remedy: "Check the path.")
        }
        self.file = file
        gzbuffer(file, 1 << 17)
        // What is not gzipped comes as it is.
        reader = JSONRecordReader { buffer in
            let count = gzread(file, buffer.baseAddress, UInt32(min(buffer.count, 1 << 20)))
            var code: Int32 = 0
            let message = gzerror(file, &code).map { String(cString: $0) } ?? ""
            guard count >= 0, code == Z_OK || code == Z_STREAM_END else {
                throw Problem(
                    .corrupt, path, "the file is truncated or corrupt (\(message))", remedy: "Download it again.")
            }
            return Int(count)
        }
    }

    deinit { gzclose(file) }

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
