import JSON

/// Parses JSON that lies inside strings; what it gave lives until the next `reset`.
///
/// Parsers and buffers are kept from span to span.
final class ScratchDocuments {
    private var parsers: [JSONParser] = []
    private var buffers: [UnsafeMutableBufferPointer<UInt8>] = []
    private var used = 0

    deinit { for buffer in buffers { buffer.deallocate() } }

    /// Releases all documents, and the memory of buffers above 1 MiB.
    func reset() {
        for place in 0..<used where buffers[place].count > 1 << 20 {
            buffers[place].deallocate()
            buffers[place] = .allocate(capacity: 0)
        }
        used = 0
    }

    /// The value of the JSON that a string holds; `nil` if it holds none. At most 64 at a time.
    func parse(_ string: OTLPValue) -> JSONNode? {
        if case .owned(.text(var text)) = string { return text.withUTF8 { parse($0) } }
        return string.stringNode?.withUTF8 { parse($0) } ?? nil
    }

    private func parse(_ text: UnsafeBufferPointer<UInt8>) -> JSONNode? {
        guard used < 64, !text.isEmpty else { return nil }
        if used == parsers.count {
            parsers.append(JSONParser())
            buffers.append(.allocate(capacity: 0))
        }
        if buffers[used].count < text.count {
            buffers[used].deallocate()
            buffers[used] = .allocate(capacity: text.count)
        }
        _ = buffers[used].update(fromContentsOf: text)
        // Most strings are not JSON.
        let bytes = UnsafeBufferPointer(rebasing: buffers[used][..<text.count])
        guard let node = try? parsers[used].parse(bytes) else { return nil }
        used += 1
        return node
    }
}
