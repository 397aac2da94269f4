internal import Kernels
internal import Tokenizers

/// The smallest set of the greatest whose probabilities reach a mass: what top-p and typical sampling keep.
extension Candidates {
    /// - Parameters:
    ///   - keys: Sort keys, one per candidate, with `maxima` of them while dense; `nil` sorts by
    ///     logits.
    ///   - keepsEquals: Whether to keep all keys equal to the last one, or only as many as the mass needs.
    func keepPrefix(of keys: UnsafePointer<Float>?, mass: Double, keepsEquals: Bool) {
        guard mass < 1, mass >= 0 else { return }
        computeProbabilities()
        if isDense {
            keepDensePrefix(of: keys ?? UnsafePointer(row), mass: mass, keepsEquals: keepsEquals)
        } else {
            elements.removeAll(keepingCapacity: true)
            for index in ids.indices {
                elements.append(.init(key: keys?[index] ?? logits[index], weight: probabilities.pointer[index]))
            }
            let own = elements.map(\.key)
            cut(mass: mass, keepsEquals: keepsEquals) { own[$0] }
        }
    }

    private func keepDensePrefix(of keys: UnsafePointer<Float>, mass: Double, keepsEquals: Bool) {
        // The greatest few hold the mass in most models; a histogram finds the border where they hold little of it.
        var found = gather(keys, below: 3)
        if found < mass, found > mass / 4 { found = gather(keys, below: 9) }
        var left = mass
        if found < mass { left -= selectBin(of: keys, mass: mass) }
        guard !elements.isEmpty else { return }
        let (last, count) = Selection.prefix(of: &elements, mass: left)
        var equals = keepsEquals ? Int.max : count
        collect(keys, reaching: last)
        guard !keepsEquals else { return }
        filter { index in
            guard keys[Int(ids[index])] == last else { return true }
            equals -= 1
            return equals >= 0
        }
    }

    /// Sets `elements` to those at most `distance` below the greatest; returns their weight.
    private func gather(_ keys: UnsafePointer<Float>, below distance: Float) -> Double {
        let threshold = max(maxima.greatest - distance, -.greatestFiniteMagnitude)
        var found = 0.0
        elements.removeAll(keepingCapacity: true)
        maxima.forEach(reaching: threshold, in: keys, count: vocabularySize) { index in
            let weight = probabilities.pointer[index]
            found += Double(weight)
            elements.append(.init(key: keys[index], weight: weight))
        }
        return found
    }

    /// Counts probabilities by how far keys lie below the greatest, in steps of 1/128; `elements` are then those of the
    /// step in which the mass is reached. Two passes, however flat the distribution.
    ///
    /// - Returns: Mass of all preceding steps.
    private func selectBin(of keys: UnsafePointer<Float>, mass: Double) -> Double {
        let (greatest, bins) = (maxima.greatest, 4096)
        func bin(_ key: Float) -> Int { Int(min((greatest - key) * 128, Float(bins - 1))) }
        let weights = probabilities.pointer
        var sums = [Double](repeating: 0, count: bins)
        var last = 0
        for index in 0..<vocabularySize where keys[index] > -.infinity {
            let bin = bin(keys[index])
            sums[bin] += Double(weights[index])
            last = max(last, bin)
        }
        var (chosen, before) = (0, 0.0)
        while chosen < last, before + sums[chosen] < mass {
            before += sums[chosen]
            chosen += 1
        }
        elements.removeAll(keepingCapacity: true)
        for index in 0..<vocabularySize where keys[index] > -.infinity && bin(keys[index]) == chosen {
            elements.append(.init(key: keys[index], weight: weights[index]))
        }
        return before
    }

    /// Cuts the list where the weights of `elements`, greatest key first, reach `mass`.
    private func cut(mass: Double, keepsEquals: Bool, key: (Int) -> Float) {
        guard !elements.isEmpty else { return }
        let (last, count) = Selection.prefix(of: &elements, mass: mass)
        var left = keepsEquals ? Int.max : count
        filter { index in
            let number = key(index)
            guard number == last else { return number > last }
            left -= 1
            return left >= 0
        }
    }
}
