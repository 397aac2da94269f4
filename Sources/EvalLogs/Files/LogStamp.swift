import Traces

/// The state of a log's file at the last look, which shows how the file has changed since.
struct LogStamp {
    private let path: String
    private var stamp: FileStamp
    /// First bytes, which distinguish a rewritten file from one that grew.
    private var first: [UInt8]

    private static var compared: Int { 4096 }

    init(_ file: LogFile) {
        path = file.path
        stamp = (try? FileStamp(descriptor: file.descriptor)) ?? .unknown
        first = (try? file.bytes(0..<Self.compared)) ?? []
    }

    /// Whether the file at the path has changed since this was made.
    var hasChanged: Bool { ((try? FileStamp(path: path)) ?? .unknown) != stamp }

    /// What became of the file since the last look; a file that is gone for the moment has not changed.
    ///
    /// - Parameter file: Open file.
    mutating func look(_ file: LogFile) -> EvalLogChange {
        guard let now = try? FileStamp(path: path), now != stamp else { return .none }
        let before = stamp
        stamp = now
        guard now.inode == before.inode, now.device == before.device, now.size >= before.size,
            let bytes = try? file.bytes(0..<Self.compared), bytes.starts(with: first)
        else { return .replaced }
        first = bytes
        return .grown
    }
}
