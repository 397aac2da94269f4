/// Selection without sorting, in time that grows with the number of elements (Hoare, FIND, CACM 1961).
enum Selection {
    /// Returns the count-th greatest number: exactly `count` numbers, itself included, reach or exceed it. `numbers` is
    /// reordered and must not contain NaN; 1 ≤ count ≤ its length.
    static func greatest(_ count: Int, of numbers: inout [Float]) -> Float {
        numbers.withUnsafeMutableBufferPointer { numbers in
            var (low, high) = (0, numbers.count - 1)
            let wanted = count - 1
            while low < high {
                let (before, after) = partition(numbers, low, high) { $0 }
                if wanted < before {
                    high = before - 1
                } else if wanted >= after {
                    low = after
                } else {
                    break
                }
            }
            return numbers[wanted]
        }
    }

    /// A candidate's rank and what it weighs.
    struct Weighted {
        var key: Float
        var weight: Float
    }

    /// Returns the end of the smallest set of greatest keys whose weights reach `mass`: its last key, and how many equal
    /// keys belong to it. Returns all keys if their weights do not reach the mass.
    static func prefix(
        of elements: inout [Weighted], mass: Double
    ) -> (key: Float, ofThatKey: Int) {
        elements.withUnsafeMutableBufferPointer { elements in
            var (low, high) = (0, elements.count - 1)
            var left = mass
            while true {
                let (before, after) = partition(elements, low, high) { $0.key }
                let above = elements[low..<before].reduce(0.0) { $0 + Double($1.weight) }
                if above >= left, before > low {
                    high = before - 1
                    continue
                }
                // The crossing is among those with the pivot's key, or below.
                let key = elements[before].key
                var reached = above
                for index in before..<after {
                    reached += Double(elements[index].weight)
                    if reached >= left { return (key, index - before + 1) }
                }
                guard after <= high else { return (key, after - before) }
                left -= reached
                low = after
            }
        }
    }

    /// Partitions by a pivot: greater keys before `before`, smaller ones from `after`, equal ones between; three ways,
    /// so that equal keys cost nothing (Dijkstra's flag).
    private static func partition<Element>(
        _ elements: UnsafeMutableBufferPointer<Element>, _ low: Int, _ high: Int, key: (Element) -> Float
    ) -> (before: Int, after: Int) {
        let ends = (key(elements[low]), key(elements[low + (high - low) / 2]), key(elements[high]))
        let pivot = max(min(ends.0, ends.1), min(max(ends.0, ends.1), ends.2))
        var (before, index, after) = (low, low, high + 1)
        while index < after {
            let number = key(elements[index])
            if number > pivot {
                elements.swapAt(before, index)
                before += 1
                index += 1
            } else if number < pivot {
                after -= 1
                elements.swapAt(index, after)
            } else {
                index += 1
            }
        }
        return (before, after)
    }
}
