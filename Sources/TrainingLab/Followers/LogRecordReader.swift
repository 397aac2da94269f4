/// Reads the records of a `.wandb` file: LevelDB's log format behind a header of seven bytes.
///
/// The file is blocks of 32 KiB. A fragment is a checksum (4 bytes, CRC-32 of IEEE over type and bytes, as W&B takes it),
/// a length (2), a type (whole, first, middle, last), and the bytes; no fragment crosses a block, and the last six bytes
/// of a block may be padding. Source: LevelDB, doc/log_format.md.
struct LogRecordReader {
    /// `:W&B`, 0xBEE1, version 0.
    static let header: [UInt8] = [0x3A, 0x57, 0x26, 0x42, 0xE1, 0xBE, 0]
    static let longestRecord = 64 << 20
    private static let block = 32 << 10
    private static let fragment = 7

    private let window: FileWindow
    private var record: [UInt8] = []
    private var isInside = false
    /// The offset up to which all records are read whole.
    private(set) var position: Int
    /// What was damaged since the last look, a sentence each.
    private(set) var problems: [String] = []

    init(_ window: FileWindow) {
        self.window = window
        position = window.offset
    }

    /// The bytes of the next record; nil at the end, or where the rest is being written still.
    mutating func next() throws -> [UInt8]? {
        if window.offset == 0 {
            guard window.left >= Self.header.count else { return nil }
            window.skip(Self.header.count)
            position = Self.header.count
        }
        while true {
            let left = Self.block - window.offset % Self.block
            if left < Self.fragment {
                guard window.left >= left else { return nil }
                window.skip(left)
                continue
            }
            guard let head = try window.next(Self.fragment) else { return nil }
            let checksum = head.loadUnaligned(as: UInt32.self).littleEndian
            let length = Int(head.loadUnaligned(fromByteOffset: 4, as: UInt16.self).littleEndian)
            let type = head[6]
            guard length <= left - Self.fragment, (1...4).contains(type) else {
                guard skipBlock(left) else { return nil }
                continue
            }
            guard let bytes = try window.next(Self.fragment + length) else { return nil }
            let body = UnsafeRawBufferPointer(rebasing: bytes[6..<(Self.fragment + length)])
            guard Checksum.ieee.of(body) == checksum else {
                guard skipBlock(left) else { return nil }
                continue
            }
            if let whole = take(type, UnsafeRawBufferPointer(rebasing: body[1...])) { return whole }
        }
    }

    /// Adds a fragment; returns the record that it ends.
    private mutating func take(_ type: UInt8, _ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
        let isFirst = type == 1 || type == 2
        let isLast = type == 1 || type == 4
        defer {
            window.skip(Self.fragment + bytes.count)
            if isLast { position = window.offset }
        }
        if isFirst {
            record.removeAll(keepingCapacity: true)
            isInside = true
        }
        // A fragment without its beginning follows a damaged one.
        guard isInside else { return nil }
        guard record.count + bytes.count <= Self.longestRecord else {
            isInside = false
            problems.append(
                "byte \(window.offset): skipped a record larger than \(Self.longestRecord >> 20) MiB.")
            return nil
        }
        record.append(contentsOf: bytes)
        guard isLast else { return nil }
        isInside = false
        return record
    }

    /// Passes over the rest of a damaged block; false in the last one, which may be being written.
    private mutating func skipBlock(_ left: Int) -> Bool {
        guard window.left > left else { return false }
        problems.append("byte \(window.offset): skipped the records of a damaged block.")
        window.skip(left)
        position = window.offset
        isInside = false
        return true
    }

    mutating func takeProblems() -> [String] {
        defer { problems = [] }
        return problems
    }
}
