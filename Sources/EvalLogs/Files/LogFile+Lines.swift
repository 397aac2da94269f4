internal import JSON

extension LogFile {
    /// The first lines, parsed; those that are no JSON are left out.
    ///
    /// - Parameter most: Bytes after which no further line is read; the first is read whatever it has.
    func firstLines(_ count: Int, most: Int = 8 << 20) throws(EvalLogError) -> [JSONValue] {
        var index = LineIndex(self)
        var values: [JSONValue] = []
        var place = 0
        var read = 0
        while place < count, read < most {
            try index.findAll(place + 1) { false }
            guard place < index.count else { break }
            let bytes = try index.bytes(place)
            read += bytes.count
            place += 1
            if let value = try? LogJSON.parse(bytes, path: path, place: "line \(place)", { JSONValue($0) }) {
                values.append(value)
            }
        }
        return values
    }

    /// The whole lines in the last bytes of the file, parsed; those that are no JSON are left out.
    func lastLines(within bytes: Int) throws(EvalLogError) -> [JSONValue] {
        let size = size
        let tail = try self.bytes(max(0, size - bytes)..<size)
        var values: [JSONValue] = []
        for line in tail.split(separator: 0x0A) where line.first == UInt8(ascii: "{") {
            if let value = try? LogJSON.parse(Array(line), path: path, place: "", { JSONValue($0) }) {
                values.append(value)
            }
        }
        return values
    }
}
