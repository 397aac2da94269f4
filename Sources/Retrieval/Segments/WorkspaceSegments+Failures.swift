internal import GRDB
internal import Hashing
internal import SearchIndexes

extension WorkspaceSegments {
    /// What the checksum of a row begins with: another one for each index, part and number.
    static func seed(_ index: Int64, _ part: String, _ number: Int) -> UInt64 {
        var part = part
        let name = part.withUTF8 { XXH64.hash(UnsafeRawBufferPointer($0), seed: UInt64(bitPattern: index)) }
        return seed(name, number)
    }

    /// As the other, where the hash of index and part is known.
    @inline(__always)
    static func seed(_ name: UInt64, _ number: Int) -> UInt64 {
        XXH64.avalanche(name &+ UInt64(bitPattern: Int64(number)) &* SplitMix64.gamma)
    }

    /// Names the index and segment in what SQLite or a reader of bytes reported.
    static func failure(_ error: any Error, _ index: Int64, _ key: SegmentKey? = nil) -> SegmentError {
        if let error = error as? SegmentError { return error }
        let place = key.map { "index \(index), segment \($0)" } ?? "index \(index)"
        guard let error = error as? DatabaseError else { return SegmentError(place, problem: "\(error)") }
        switch error.resultCode {
        case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_IOERR, .SQLITE_ERROR, .SQLITE_FORMAT:
            return SegmentError(
                place, problem: "the workspace file is damaged (\(error.message ?? "SQLite cannot read it"))",
                remedy: "Run `workspace check`, then build the index again.")
        case .SQLITE_FULL:
            return SegmentError(place, problem: "the disk is full", remedy: "Free some space, then try again.")
        case .SQLITE_NOMEM:
            return SegmentError(
                place, problem: "not enough memory to read the index", remedy: "Free some memory, then try again.")
        case .SQLITE_INTERRUPT:
            return SegmentError(place, problem: "the index operation was canceled", remedy: "")
        case .SQLITE_READONLY:
            return SegmentError(
                place, problem: "the workspace is read-only", remedy: "Open it with write permission.")
        default:
            return SegmentError(place, problem: error.message ?? "SQLite reports \(error.resultCode)", remedy: "")
        }
    }

    func damage(_ key: SegmentKey, _ problem: String) -> SegmentError {
        SegmentError("index \(index), segment \(key)", problem: problem)
    }
}
