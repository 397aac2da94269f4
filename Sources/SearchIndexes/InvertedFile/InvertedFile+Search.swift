internal import Kernels

extension InvertedFile {
    /// - Parameters:
    ///   - probes: Lists that are looked into, the nearest ones.
    ///   - reranked: Candidates whose distances are taken again from their vectors; 0 leaves those of the codes.
    func search(
        _ query: UnsafePointer<Float>, _ request: VectorRequest, probes: Int, reranked: Int
    ) throws(SegmentError) -> [Neighbor] {
        let k = min(request.k, rows.count)
        guard k > 0, let panels else { return [] }
        return try scratch.with { scratch throws(SegmentError) in
            let (coarse, tables, x) = scratch.floats(
                panels.paddedCount, isCoded ? choices.parts * ProductQuantizer.centersOfPart : 0, rows.dimension)
            try rows.prepare(query, into: x)
            chooseLists(min(max(probes, 1), lists.count), x, coarse, scratch)
            let candidates = isCoded && reranked > 0 ? min(max(k, reranked), rows.count) : k
            scratch.nearest.reset(capacity: candidates)
            rows.withLabels { labels in
                if isCoded {
                    scanCodes(x, tables, coarse, request.allowed, scratch, labels)
                } else {
                    scanVectors(x, request.allowed, scratch, labels)
                }
                if isCoded && reranked > 0 { rows.rank(scratch.nearest, again: x, k: k, scratch, labels) }
                scratch.nearest.sort(labels)
            }
            return rows.neighbors(scratch.nearest)
        }
    }

    private func chooseLists(
        _ probes: Int, _ x: UnsafePointer<Float>, _ coarse: UnsafeMutablePointer<Float>, _ scratch: SearchScratch
    ) {
        guard let panels, lists.count > 1 else {
            panels?.distances(to: x, into: coarse)
            scratch.lists.reset(capacity: 1)
            scratch.lists.offer(coarse[0], 0, nil)
            return
        }
        panels.distances(to: x, into: coarse)
        scratch.lists.reset(capacity: probes)
        for start in Swift.stride(from: 0, to: lists.count, by: 128) {
            let found = CodeKernels.positions(
                of: coarse + start, count: min(128, lists.count - start), atMost: scratch.lists.limit,
                into: scratch.positions)
            for position in 0..<found {
                let list = start + Int(scratch.positions[position])
                scratch.lists.offer(coarse[list], UInt32(list), nil)
            }
        }
        scratch.lists.sort(nil)
    }

    private func scanCodes(
        _ x: UnsafePointer<Float>, _ tables: UnsafeMutablePointer<Float>,
        _ coarse: UnsafePointer<Float>, _ allowed: SlotSet?, _ scratch: SearchScratch, _ labels: UnsafePointer<Int64>
    ) {
        guard let quantizer else { return }
        quantizer.tables(of: x, factor: isInnerProduct ? -1 : -2, into: tables)
        let constant = isInnerProduct ? rows.offset : (0..<rows.dimension).reduce(0) { $0 + x[$1] * x[$1] }
        for probe in 0..<scratch.lists.count {
            let index = Int(scratch.lists.entries[probe].slot)
            let list = lists[index]
            guard let slots = list.slots, let codes = list.entries?.assumingMemoryBound(to: UInt8.self) else {
                continue
            }
            let start = coarse[index] + constant
            for first in Swift.stride(from: 0, to: list.count, by: SearchScratch.block) {
                let here = min(SearchScratch.block, list.count - first)
                CodeKernels.scan(
                    tables, codes: codes + first * choices.parts, bias: list.bias.map { UnsafePointer($0) + first },
                    start: start, count: here, parts: choices.parts, into: scratch.distances)
                scratch.keep(slots + first, here, rows, allowed, labels)
            }
        }
    }

    private func scanVectors(
        _ x: UnsafePointer<Float>, _ allowed: SlotSet?, _ scratch: SearchScratch, _ labels: UnsafePointer<Int64>
    ) {
        let width = rows.dimension
        for probe in 0..<scratch.lists.count {
            let list = lists[Int(scratch.lists.entries[probe].slot)]
            guard let slots = list.slots, let vectors = list.entries?.assumingMemoryBound(to: Float.self) else {
                continue
            }
            for first in Swift.stride(from: 0, to: list.count, by: 128) {
                let here = min(128, list.count - first)
                rows.kernels.rows(
                    x, vectors + first * width, width, width, rows.offset, nil, here, scratch.distances)
                scratch.keep(slots + first, here, rows, allowed, labels)
            }
        }
    }
}
