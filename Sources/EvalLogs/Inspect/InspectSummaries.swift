internal import Bytes
internal import JSON

/// The summaries of a ZIP log, read one after the other out of the entries that hold them.
final class InspectSummaries {
    private var directory: ZipDirectory<LogFile>
    private var entries: [ZipEntry]
    private var reader: JSONRecordReader?
    private var place = ""

    /// Bytes of one summary beyond which it is skipped: Inspect cuts their texts at a thousand characters.
    private static let longest = 32 << 20

    /// - Parameter entries: In the order in which they are read.
    init(_ directory: ZipDirectory<LogFile>, _ entries: [ZipEntry]) {
        self.directory = directory
        self.entries = entries.reversed()
    }

    /// Goes on with entries that stand in a newer state of the file, behind those that are left.
    func goOn(_ directory: ZipDirectory<LogFile>, with entries: [ZipEntry]) {
        self.directory = directory
        self.entries = entries.reversed() + self.entries
    }

    /// Passes the next summary to `body`; returns `false` at the end.
    func next(_ body: (UnsafeBufferPointer<UInt8>, String) throws(EvalLogError) -> Void) throws(EvalLogError) -> Bool {
        while true {
            if reader == nil {
                guard let entry = entries.popLast() else { return false }
                let source = try directory.member(entry)
                place = entry.name
                reader = JSONRecordReader(framing: .values, maximumRecordBytes: InspectSummaries.longest) {
                    try source.readAvailable($0)
                }
            }
            let record: JSONRecord?
            do { record = try reader?.next() } catch {
                throw error as? EvalLogError
                    ?? EvalLogError(path: directory.source.path, place: place, problem: "cannot read the entry")
            }
            guard let record else {
                reader = nil
                continue
            }
            if record.ending == .oversized { continue }
            try body(record.bytes, place + ", line \(record.line)")
            return true
        }
    }
}
