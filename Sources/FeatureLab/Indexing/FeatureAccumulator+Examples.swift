extension FeatureAccumulator {
    /// Keeps one of the largest activations; of a sequence only its largest.
    func insertTop(_ slot: ExampleSlot, _ feature: Int, _ sequence: UInt32) {
        let top = slots + feature * ExampleLayout.slots
        var place = 0
        for index in 0..<ExampleLayout.top {
            let other = top[index]
            if !other.isEmpty, other.position >= sequence {
                if slot.value > other.value {
                    top[index] = slot
                    noteLeastTop(feature)
                }
                return
            }
            if Self.isBefore(other, top[place]) { place = index }
        }
        top[place] = slot
        noteLeastTop(feature)
    }

    // The one to give up first: the least, and of equal ones the latest.
    private static func isBefore(_ slot: ExampleSlot, _ other: ExampleSlot) -> Bool {
        slot.value < other.value || (slot.value == other.value && slot.position > other.position)
    }

    // Empty slots have value 0, so that anything is above.
    private func noteLeastTop(_ feature: Int) {
        let top = slots + feature * ExampleLayout.slots
        var least = top[0].value
        for index in 1..<ExampleLayout.top { least = min(least, top[index].value) }
        tallies[feature].leastTop = least
    }

    /// Stores a slot of a stratum, replacing the slot with the largest key.
    func draw(_ slot: ExampleSlot, _ feature: Int, _ stratum: Int) {
        let drawn = strata(feature) + stratum * ExampleLayout.perStratum
        if let place = Self.place(for: slot, drawn) {
            drawn[place] = slot
            noteThreshold(feature, stratum)
        }
    }

    private func strata(_ feature: Int) -> UnsafeMutablePointer<ExampleSlot> {
        slots + feature * ExampleLayout.slots + ExampleLayout.top
    }

    private static func place(for slot: ExampleSlot, _ drawn: UnsafeMutablePointer<ExampleSlot>) -> Int? {
        var last = 0
        for index in 0..<ExampleLayout.perStratum {
            if drawn[index].isEmpty { return index }
            if drawn[last].precedes(drawn[index]) { last = index }
        }
        return slot.precedes(drawn[last]) ? last : nil
    }

    private func noteThreshold(_ feature: Int, _ stratum: Int) {
        let drawn = strata(feature) + stratum * ExampleLayout.perStratum
        var largest: UInt32 = 0
        for index in 0..<ExampleLayout.perStratum {
            if drawn[index].isEmpty {
                largest = .max
                break
            }
            largest = max(largest, drawn[index].key)
        }
        thresholds[feature * ExampleLayout.strata + stratum] = largest
    }

    /// Sets the maximum, and moves strata down if the maximum is in a higher one.
    func raiseMaximum(_ feature: Int, to value: Float) {
        let stratum = ActivationBins.stratum(value)
        let rise = tallies[feature].count == 1 ? 0 : Int(stratum - tallies[feature].stratum)
        tallies[feature].maximum = value
        tallies[feature].stratum = stratum
        guard rise > 0 else { return }
        let last = ExampleLayout.strata - 1
        for depth in stride(from: last - 1, through: max(0, last - rise), by: -1) { join(feature, depth) }
        for depth in stride(from: last - 1 - rise, through: 0, by: -1) { move(feature, depth, to: depth + rise) }
        for depth in 0...last { noteThreshold(feature, depth) }
    }

    // Adds the draws of a stratum to those of the last one.
    private func join(_ feature: Int, _ depth: Int) {
        let base = feature * ExampleLayout.slots + ExampleLayout.top
        let last = base + (ExampleLayout.strata - 1) * ExampleLayout.perStratum
        for index in 0..<ExampleLayout.perStratum {
            let source = base + depth * ExampleLayout.perStratum + index
            if slots[source].isEmpty { continue }
            if let place = Self.place(for: slots[source], slots + last) {
                slots[last + place] = slots[source]
                copyContext(source, to: last + place)
            }
            slots[source] = ExampleSlot()
        }
    }

    private func move(_ feature: Int, _ depth: Int, to other: Int) {
        let base = feature * ExampleLayout.slots + ExampleLayout.top
        for index in 0..<ExampleLayout.perStratum {
            let source = base + depth * ExampleLayout.perStratum + index
            let target = base + other * ExampleLayout.perStratum + index
            slots[target] = slots[source]
            copyContext(source, to: target)
            slots[source] = ExampleSlot()
        }
    }

    private func copyContext(_ source: Int, to target: Int) {
        (contexts + target * ExampleLayout.context).update(
            from: contexts + source * ExampleLayout.context, count: ExampleLayout.context)
    }
}
