/// Decompresses one entry of a ZIP archive from its start, as far as the caller reads.
///
/// Memory is the caller's buffer plus the decompressor's window; `finish` compares the checksum.
package final class ZipMember<Source: ZipSource> {
    /// Offset of the packed bytes.
    package let start: Int
    private let entry: ZipEntry
    private let source: Source
    private let decoder: (any ZipDecoder)?
    /// Packed bytes read so far.
    private var used = 0
    /// Decompressed bytes so far.
    private var position = 0
    private var checksum: UInt32 = 0
    private var hasEnded = false
    private var isChecked = false
    /// The first failure, which every later read repeats: damaged bytes must not look like the end of the entry.
    private var failure: Source.Failure?

    package init(_ entry: ZipEntry, in source: Source) throws(Source.Failure) {
        guard !entry.isEncrypted, let method = entry.method else {
            let what = entry.isEncrypted ? "is encrypted" : "uses unsupported compression method \(entry.methodNumber)"
            throw source.failure(ZipProblem(.unsupported, entry.header, what, entry: entry.name))
        }
        start = try source.dataStart(of: entry)
        self.entry = entry
        self.source = source
        switch method {
        case .stored: decoder = nil
        case .deflated: decoder = Inflater()
        case .zstandard: decoder = ZstandardDecoder()
        }
        guard start <= source.count - entry.packedSize else { throw damaged("is truncated") }
        guard method == .stored || decoder != nil else {
            throw source.failure(ZipProblem(.memory, start, "not enough memory to decompress", entry: entry.name))
        }
    }

    /// Bytes still to come, according to the directory.
    package var remaining: Int { entry.size - position }

    /// Fills a buffer; returns fewer bytes only at the end, where the checksum is compared.
    package func readAvailable(_ buffer: UnsafeMutableRawBufferPointer) throws(Source.Failure) -> Int {
        if let failure { throw failure }
        do throws(Source.Failure) {
            let count = min(buffer.count, remaining)
            try read(UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]))
            if remaining == 0, !isChecked { try finish() }
            return count
        } catch {
            failure = error
            throw error
        }
    }

    /// Decompresses exactly as many bytes as the buffer has.
    package func read(_ buffer: UnsafeMutableRawBufferPointer) throws(Source.Failure) {
        guard buffer.count <= remaining else {
            throw damaged("unpacks to \(entry.size) bytes, too few for its array")
        }
        guard let start = buffer.baseAddress, buffer.count > 0 else { return }
        if decoder != nil {
            var done = 0
            while done < buffer.count {
                guard !hasEnded else { throw damaged("ends before its unpacked size of \(entry.size) bytes") }
                done += try decode(start + done, buffer.count - done)
            }
        } else {
            guard buffer.count <= entry.packedSize - used else {
                throw damaged("ends before its unpacked size of \(entry.size) bytes")
            }
            // In pieces, because a source may copy what it reads.
            var done = 0
            while done < buffer.count {
                let (place, count) = (self.start + used, min(1 << 20, buffer.count - done))
                let target = UnsafeMutableRawBufferPointer(rebasing: buffer[done..<done + count])
                try source.withBytes(place..<place + count) { target.copyMemory(from: $0) }
                used += count
                done += count
            }
        }
        position += buffer.count
        checksum = CRC32.update(checksum, UnsafeRawBufferPointer(buffer))
    }

    /// Reads the rest, and compares length and checksum with the directory.
    package func finish() throws(Source.Failure) {
        isChecked = true
        if remaining > 0 {
            let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: min(remaining, 1 << 16), alignment: 16)
            defer { chunk.deallocate() }
            while remaining > 0 {
                try read(UnsafeMutableRawBufferPointer(rebasing: chunk[..<min(remaining, chunk.count)]))
            }
        }
        // The end of a compressed stream can be in bytes that gave no output yet; output is an error.
        let surplus = UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1)
        defer { surplus.deallocate() }
        while decoder != nil, !hasEnded {
            guard try decode(surplus, 1) == 0 else {
                throw damaged("unpacks to more bytes than the zip directory says")
            }
        }
        guard used == entry.packedSize || hasEnded else { throw damaged("has unused packed bytes") }
        guard checksum == entry.checksum else { throw damaged("does not match its CRC-32 in the zip directory") }
    }

    private func damaged(_ what: String) -> Source.Failure {
        source.failure(ZipProblem(.damaged, start, what, entry: entry.name))
    }

    /// Calls the decompressor once, with at most 1 GiB; returns the number of bytes it wrote.
    private func decode(_ target: UnsafeMutableRawPointer, _ count: Int) throws(Source.Failure) -> Int {
        let room = min(count, 1 << 30)
        let place = start + used
        let given = min(entry.packedSize - used, 1 << 18)
        let step = try source.withBytes(place..<place + given) { packed in
            decoder?.decode(packed, into: UnsafeMutableRawBufferPointer(start: target, count: room)) ?? .corrupt
        }
        used += step.taken
        hasEnded = step.hasEnded && (entry.method == .deflated || used == entry.packedSize)
        guard !step.isCorrupt else {
            throw damaged("cannot be unpacked: the \(decoder?.name ?? "") stream is corrupt at packed byte \(used)")
        }
        guard step.taken > 0 || step.made > 0 || hasEnded else {
            throw damaged("ends inside its \(decoder?.name ?? "") stream")
        }
        return step.made
    }
}
