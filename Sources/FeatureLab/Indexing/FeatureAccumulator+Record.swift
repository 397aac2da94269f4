extension FeatureAccumulator {
    /// What a dashboard shows of one feature, as far as it follows from activations.
    func record(_ feature: Int) -> FeatureRecord {
        let tally = tallies[feature]
        var record = FeatureRecord(
            feature: feature, count: Int(tally.count), total: tally.total, maximum: tally.maximum)
        guard tally.count > 0 else { return record }
        record.histogram = ActivationBins.folded(
            UnsafeBufferPointer(start: histograms + feature * ActivationBins.count, count: ActivationBins.count),
            maximum: tally.maximum, into: FeatureRecord.bins)
        record.top = top(feature).map(example)
        record.groups = groups(feature).map { $0.map(example) }
        return record
    }

    /// Slots of the top examples, largest first; of equal ones the earlier.
    func top(_ feature: Int) -> [Int] {
        let first = feature * ExampleLayout.slots
        return (first..<first + ExampleLayout.top).filter { !slots[$0].isEmpty }
            .sorted { (slots[$1].value, slots[$0].position) < (slots[$0].value, slots[$1].position) }
    }

    /// Slots of examples of ten equal parts of 0 ... maximum, from the maximum down; largest first within each.
    ///
    /// Those with the least keys of what was drawn from the strata in which a part lies; top examples fill parts that
    /// have fewer than five.
    func groups(_ feature: Int) -> [[Int]] {
        let maximum = tallies[feature].maximum
        var members = [[(isTop: Int, key: UInt32, slot: Int)]](repeating: [], count: FeatureRecord.groupCount)
        var drawn: Set<UInt32> = []
        let base = feature * ExampleLayout.slots
        for index in Array(ExampleLayout.top..<ExampleLayout.slots) + Array(0..<ExampleLayout.top) {
            let slot = slots[base + index]
            let isTop = index < ExampleLayout.top
            if slot.isEmpty || isTop && drawn.contains(slot.position) { continue }
            drawn.insert(slot.position)
            members[Self.group(slot.value, maximum)].append((isTop ? 1 : 0, slot.key, base + index))
        }
        return members.map { members in
            members.sorted { ($0.isTop, $0.key) < ($1.isTop, $1.key) }.prefix(ExampleLayout.perStratum).map(\.slot)
                .sorted { (slots[$1].value, slots[$0].position) < (slots[$0].value, slots[$1].position) }
        }
    }

    /// Which of the ten parts a value is in, 0 at the maximum.
    static func group(_ value: Float, _ maximum: Float) -> Int {
        let part = Int(value / maximum * Float(FeatureRecord.groupCount))
        return FeatureRecord.groupCount - 1 - min(FeatureRecord.groupCount - 1, part)
    }

    private func example(_ index: Int) -> FeatureRecord.Example {
        let (before, beyond) = extent(index)
        let context = UnsafeBufferPointer(
            start: contexts + index * ExampleLayout.context, count: ExampleLayout.context)
        return FeatureRecord.Example(
            position: Int(slots[index].position), values: Array(context[ExampleLayout.radius - before..<beyond]),
            peak: before)
    }

    /// How many places before a slot's own are in its sequence, and the first place of the context behind it that is not.
    func extent(_ index: Int) -> (before: Int, beyond: Int) {
        let context = UnsafeBufferPointer(
            start: contexts + index * ExampleLayout.context, count: ExampleLayout.context)
        let radius = ExampleLayout.radius
        let outside = context[..<radius].lastIndex { $0 == ExampleLayout.outside } ?? -1
        let beyond = context[radius...].firstIndex { $0 == ExampleLayout.outside } ?? ExampleLayout.context
        return (radius - 1 - outside, beyond)
    }
}
