internal import Bytes

extension FaissFile {
    /// `IwFl`, `IwPQ`: u64 lists, u64 probes, the index of centers, a map of ids (u8 kind, ids; pairs where it is 2); for
    /// codes u8 residuals, u64 bytes of a code, u64 dimension, parts, bits, centers; then the lists.
    mutating func lists(_ head: Head, _ labels: [Int64]?) throws(SegmentError) -> ImportedIndex {
        let listCount = try reader.read(UInt64.self)
        _ = try reader.read(UInt64.self)
        let coarse = try self.head()
        guard ["IxF2", "IxFI", "IxFl"].contains(coarse.letters), coarse.dimension == head.dimension,
            UInt64(coarse.count) == listCount
        else { throw reader.broken("the list centers must be a flat index, not \(coarse.letters)") }
        let centers = try numbers(coarse)
        let map = try reader.read(UInt8.self)
        _ = try array(of: Int64.self)
        if map == 2 {
            let pairs = try count(ofBytes: 16)
            _ = try reader.readRaw(pairs * 16)
        }
        let codes = head.letters == "IwPQ" ? try Codes(&self, head) : nil
        let rows = try VectorRows(dimension: head.dimension, metric: head.metric)
        try requireMemory(head.count.multipliedReportingOverflow(by: head.dimension * 4).partialValue, for: "vectors")
        var vector = [Float](repeating: 0, count: head.dimension)
        let sizes = try sizes(Int(listCount), codeBytes: codes?.byteCount ?? head.dimension * 4)
        for (list, size) in sizes.enumerated() where size > 0 {
            let width = codes?.byteCount ?? head.dimension * 4
            let (bytes, overflow) = size.multipliedReportingOverflow(by: width + 8)
            guard !overflow, bytes <= reader.remaining else {
                throw reader.broken("a list of \(size) entries exceeds the file")
            }
            let entries = try reader.readRaw(size * width)
            let ids = try reader.readRaw(size * 8)
            for entry in 0..<size {
                if let codes {
                    codes.decode(UnsafeRawBufferPointer(rebasing: entries[(entry * width)...]), into: &vector)
                }
                for column in 0..<head.dimension {
                    if let codes {
                        guard codes.isResidual else { break }
                        vector[column] += centers.loadUnaligned(
                            fromByteOffset: (list * head.dimension + column) * 4, as: Float.self)
                    } else {
                        vector[column] = entries.loadUnaligned(
                            fromByteOffset: entry * width + column * 4, as: Float.self)
                    }
                }
                let id = ids.loadUnaligned(fromByteOffset: entry * 8, as: Int64.self)
                guard labels == nil || labels?.indices.contains(Int(id)) == true else {
                    throw reader.broken("vector \(id) is not in the id list")
                }
                try rows.append(vector, label: labels?[Int(id)] ?? id)
            }
        }
        return ImportedIndex(
            kind: codes == nil ? "faiss IVF-Flat" : "faiss IVF-PQ", rows: rows, isApproximate: codes != nil,
            listCount: Int(listCount))
    }

    /// `ilar`: u64 lists, u64 bytes of a code, `full` with an array of sizes or `sprs` with pairs of list and size.
    private mutating func sizes(_ lists: Int, codeBytes: Int) throws(SegmentError) -> [Int] {
        let letters = String(decoding: try reader.readRaw(4), as: UTF8.self)
        guard letters == "ilar", try reader.read(UInt64.self) == UInt64(lists),
            try reader.read(UInt64.self) == UInt64(codeBytes)
        else { throw reader.broken("the lists (\(letters)) do not match the index") }
        let kind = String(decoding: try reader.readRaw(4), as: UTF8.self)
        let numbers = try array(of: UInt64.self)
        guard numbers.allSatisfy({ $0 <= UInt64(reader.bytes.count) }) else {
            throw reader.broken("a list is larger than the file")
        }
        switch kind {
        case "full":
            guard numbers.count == lists else { throw reader.broken("found \(numbers.count) sizes for \(lists) lists") }
            return numbers.map(Int.init)
        case "sprs":
            // Lists without vectors are left out of the file: there are as many centers, which are in it.
            var sizes = [Int](repeating: 0, count: lists)
            guard numbers.count % 2 == 0 else { throw reader.broken("a size has no list") }
            var last = -1
            for pair in Swift.stride(from: 0, to: numbers.count, by: 2) {
                let list = Int(numbers[pair])
                guard list > last, list < lists else { throw reader.broken("list \(list) is out of order") }
                sizes[list] = Int(numbers[pair + 1])
                last = list
            }
            return sizes
        default:
            throw reader.broken("unsupported list kind \(kind)")
        }
    }

    /// The centers of codes, which have `bits` for each of `parts`, lowest bits first.
    struct Codes {
        var isResidual: Bool
        var byteCount: Int
        var parts: Int
        var bits: Int
        var width: Int
        /// `[parts, 2^bits, width]` floats.
        var centers: UnsafeRawBufferPointer

        init(_ file: inout FaissFile, _ head: Head) throws(SegmentError) {
            isResidual = try file.reader.read(UInt8.self) != 0
            let bytes = try file.reader.read(UInt64.self)
            let dimension = try file.reader.read(UInt64.self)
            let (parts, bits) = (try file.reader.read(UInt64.self), try file.reader.read(UInt64.self))
            guard dimension == UInt64(head.dimension), (1...dimension).contains(parts), dimension % parts == 0,
                (1...16).contains(bits), bytes == (parts * bits + 7) / 8,
                // Codes that promise a thousand times their size are not to be believed.
                4 * dimension <= 1024 * (bytes + 8)
            else { throw file.reader.broken("\(parts) code parts with \(bits) bits are out of range") }
            let count = try file.count(ofBytes: 4)
            guard count == Int(dimension) << Int(bits) else {
                throw file.reader.broken("\(count) numbers do not match the centers of the codes")
            }
            centers = try file.reader.readRaw(count * 4)
            byteCount = Int(bytes)
            self.parts = Int(parts)
            self.bits = Int(bits)
            width = head.dimension / self.parts
        }

        func decode(_ code: UnsafeRawBufferPointer, into vector: inout [Float]) {
            for part in 0..<parts {
                var number = 0
                for bit in 0..<bits {
                    let at = part * bits + bit
                    number |= Int(code[at / 8] >> UInt8(at % 8) & 1) << bit
                }
                let start = ((part << bits) + number) * width
                for column in 0..<width {
                    vector[part * width + column] = centers.loadUnaligned(
                        fromByteOffset: (start + column) * 4, as: Float.self)
                }
            }
        }
    }
}
