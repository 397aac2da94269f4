internal import Kernels

extension InvertedFile {
    /// Vectors that are assigned and coded at once.
    private static var tile: Int { 8192 }
    private static var chunk: Int { 128 }

    func add(slots: Range<Int>, threads: Int, progress: (Int) -> Bool) throws(SegmentError) {
        let wanted = slots.clamped(to: 0..<rows.count)
        guard !wanted.isEmpty else { return }
        let outgrown = choices.lists == nil && !choices.isSingle && rows.liveCount >= 4 * max(trainedCount, 1)
        if panels == nil || outgrown {
            let before = known
            try train(threads: threads)
            guard panels != nil else { return }
            // What was in the lists before comes first: an ended build has lost nothing.
            if before.count > 0 {
                let end = (before.words.lastIndex { $0 != 0 } ?? 0) * 64 + 64
                try addKnown(0..<min(end, rows.count), threads: threads, only: before) { _ in true }
            }
        }
        try addKnown(wanted, threads: threads, only: nil, progress)
    }

    private func addKnown(
        _ slots: Range<Int>, threads: Int, only: SlotSet?, _ progress: (Int) -> Bool
    ) throws(SegmentError) {
        guard let panels else { return }
        let pool = InMemory.pool(threads)
        let width = rows.dimension
        let tile = min(Self.tile, slots.count)
        let assigned = try InMemory.buffer(of: Int32.self, count: tile, for: "lists")
        let codes = try InMemory.buffer(of: UInt8.self, count: isCoded ? tile * choices.parts : 0, for: "lists")
        let biases = try InMemory.buffer(of: Float.self, count: isCoded ? tile : 0, for: "lists")
        let residuals = try InMemory.buffer(
            of: Float.self, count: isCoded ? pool.threads * Self.chunk * width : 0, for: "lists")
        for start in Swift.stride(from: slots.lowerBound, to: slots.upperBound, by: tile) {
            let count = min(tile, slots.upperBound - start)
            pool.run(chunks: (count + Self.chunk - 1) / Self.chunk) { chunk, worker in
                let first = chunk * Self.chunk
                let here = min(Self.chunk, count - first)
                panels.nearest(
                    to: rows.row(start + first), stride: rows.stride, count: here, assigned.pointer + first)
                guard isCoded, let quantizer else { return }
                encode(
                    rows.row(start + first), here, assigned.pointer + first, quantizer,
                    residuals.pointer + worker * Self.chunk * width, codes.pointer + first * choices.parts,
                    biases.pointer + first)
            }
            for row in 0..<count {
                let slot = start + row
                if let only, !only.contains(slot) { continue }
                guard known.insert(slot), !rows.removed.contains(slot) else { continue }
                let entry =
                    isCoded ? UnsafeRawPointer(codes.pointer + row * choices.parts) : UnsafeRawPointer(rows.row(slot))
                try lists.append(
                    UInt32(slot), entry, bias: isCoded ? biases.pointer[row] : 0, to: Int(assigned.pointer[row]))
            }
            guard progress(start + count - slots.lowerBound) else { return }
        }
    }

    private func encode(
        _ points: UnsafePointer<Float>, _ count: Int, _ assigned: UnsafePointer<Int32>,
        _ quantizer: ProductQuantizer, _ residuals: UnsafeMutablePointer<Float>,
        _ codes: UnsafeMutablePointer<UInt8>, _ biases: UnsafeMutablePointer<Float>
    ) {
        let width = rows.dimension
        for row in 0..<count {
            subtract(center: Int(assigned[row]), from: points + row * rows.stride, into: residuals + row * width)
        }
        quantizer.encode(residuals, stride: width, count: count, into: codes)
        guard !isInnerProduct else { return }
        for row in 0..<count {
            biases[row] = bias(of: codes + row * choices.parts, list: Int(assigned[row]), quantizer, residuals)
        }
    }

    /// |r|² + 2 c·r of a coded residual r in the list of center c.
    ///
    /// - Parameter scratch: `[dimension]`.
    func bias(
        of code: UnsafePointer<UInt8>, list: Int, _ quantizer: ProductQuantizer, _ scratch: UnsafeMutablePointer<Float>
    ) -> Float {
        let width = rows.dimension
        quantizer.decode(code, into: scratch)
        return centers.withUnsafeBufferPointer { centers in
            var sum: Float = 0
            for column in 0..<width { sum += scratch[column] * (scratch[column] + 2 * centers[list * width + column]) }
            return sum
        }
    }

    func repair(removed slots: [Int]) {
        var removed = SlotSet(capacity: rows.count)
        for slot in slots where slot >= 0 && slot < rows.count && rows.removed.contains(slot) { removed.insert(slot) }
        guard removed.count > 0 else { return }
        lists.remove(removed)
    }
}
