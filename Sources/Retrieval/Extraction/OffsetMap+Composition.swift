extension OffsetMap {
    /// Returns the composition of two maps: this map leads to an earlier text, and `inner` from that text to its
    /// source.
    ///
    /// - Parameter count: Bytes of the text that this map is of. O(runs of both).
    func leading(into inner: OffsetMap, count: Int) -> OffsetMap {
        if inner.isIdentity { return OffsetMap(base: base + inner.base, runs: runs) }
        let outer = runs.isEmpty ? [Run(text: 0, source: 0, textStep: 1, sourceStep: 1)] : runs
        var builder = Builder()
        for (index, run) in outer.enumerated() {
            let end = index + 1 < outer.count ? Int(outer[index + 1].text) : count
            var text = Int(run.text)
            var source = base + Int(run.source)
            while text < end {
                let place = inner.sourceOffset(source) - inner.base
                if run.textStep == 1, run.sourceStep == 1 {
                    let (step, rest) = inner.steps(at: source)
                    builder.add(
                        text: text, source: place, textStep: Int(step.textStep), sourceStep: Int(step.sourceStep))
                    text += rest
                    source += rest
                } else {
                    let stop = source + Int(run.sourceStep)
                    let length = run.sourceStep == 0 ? 0 : inner.sourceRange(of: source..<stop).count
                    builder.add(text: text, source: place, textStep: Int(run.textStep), sourceStep: length)
                    text += Int(run.textStep)
                    source = stop
                }
            }
        }
        return builder.map(base: inner.base)
    }

    /// Returns the run at a place of the text, and how many bytes of it are left.
    private func steps(at offset: Int) -> (Run, Int) {
        var low = 0
        var high = runs.count
        while low < high {
            let middle = (low + high) / 2
            if Int(runs[middle].text) <= offset { low = middle + 1 } else { high = middle }
        }
        let rest = low < runs.count ? Int(runs[low].text) - offset : Int(UInt32.max)
        return (runs[max(0, low - 1)], max(1, rest))
    }
}
