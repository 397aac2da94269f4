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
    func parse(_ node: JSONNode) -> JSONNode? {
        guard node.kind == .string, used < 64 else { return nil }
        if used == parsers.count {
            parsers.append(JSONParser())
            buffers.append(.allocate(capacity: 0))
        }
        let place = used
        let length: Int? = node.withUTF8 { text in
            if buffers[place].count < text.count {
                buffers[place].deallocate()
                buffers[place] = .allocate(capacity: text.count)
            }
            _ = buffers[place].update(fromContentsOf: text)
            return text.count
        }
        guard let length, length > 0 else { return nil }
        used += 1
        do throws(JSONError) {
            return try parsers[place].parse(UnsafeBufferPointer(rebasing: buffers[place][..<length]))
        } catch {
            used -= 1
            return nil
        }
    }
}
