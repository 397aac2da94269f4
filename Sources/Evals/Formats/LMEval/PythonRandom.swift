internal import Glibc

/// The random numbers of Python's `random.Random`, with which lm-evaluation-harness draws examples and resamples.
///
/// Source: Matsumoto and Nishimura, "Mersenne Twister", ACM TOMACS 8 (1998), MT19937; the reference's `init_by_array`.
struct PythonRandom {
    private var state: [UInt32]
    private var index = 624

    /// Creates the generator of `random.Random(seed)` for a seed of at least 0.
    init(seed: UInt64) {
        state = [UInt32](repeating: 0, count: 624)
        state[0] = 19_650_218
        for place in 1..<624 {
            state[place] = 1_812_433_253 &* (state[place - 1] ^ (state[place - 1] >> 30)) &+ UInt32(place)
        }
        let key =
            seed >> 32 == 0
            ? [UInt32(truncatingIfNeeded: seed)] : [UInt32(truncatingIfNeeded: seed), UInt32(seed >> 32)]
        var (i, j) = (1, 0)
        func mixed(_ factor: UInt32) -> UInt32 { state[i] ^ ((state[i - 1] ^ (state[i - 1] >> 30)) &* factor) }
        for _ in 0..<max(624, key.count) {
            state[i] = mixed(1_664_525) &+ key[j] &+ UInt32(j)
            (i, j) = (i + 1, (j + 1) % key.count)
            if i == 624 { (state[0], i) = (state[623], 1) }
        }
        for _ in 0..<623 {
            state[i] = mixed(1_566_083_941) &- UInt32(i)
            i += 1
            if i == 624 { (state[0], i) = (state[623], 1) }
        }
        state[0] = 0x8000_0000
    }

    /// Returns 32 random bits.
    mutating func next() -> UInt32 {
        if index == 624 { refill() }
        var value = state[index]
        index += 1
        value ^= value >> 11
        value ^= (value << 7) & 0x9D2C_5680
        value ^= (value << 15) & 0xEFC6_0000
        return value ^ (value >> 18)
    }

    private mutating func refill() {
        for place in 0..<624 {
            let joined = (state[place] & 0x8000_0000) | (state[(place + 1) % 624] & 0x7FFF_FFFF)
            state[place] = state[(place + 397) % 624] ^ (joined >> 1) ^ (joined & 1 == 0 ? 0 : 0x9908_B0DF)
        }
        index = 0
    }

    /// Returns a number in [0, 1) with 53 bits: `random()`.
    mutating func unit() -> Double {
        let (high, low) = (next() >> 5, next() >> 6)
        return (Double(high) * 67_108_864 + Double(low)) / 9_007_199_254_740_992
    }

    /// Returns an unbiased integer in 0..<bound; `bound` is 1 to 2³¹.
    mutating func below(_ bound: Int) -> Int {
        let bits = Int.bitWidth - bound.leadingZeroBitCount
        while true {
            let value = Int(next() >> UInt32(32 - bits))
            if value < bound { return value }
        }
    }

    /// Returns `count` distinct indices below `total`: `sample(population, count)`; all of them if `count` is larger.
    mutating func sample(_ total: Int, _ count: Int) -> [Int] {
        let count = min(count, total)
        var setSize = 21
        // Python's integers and doubles agree here; 3 × 2³¹ is far below the difference.
        if count > 5 { setSize += Int(pow(4, ceil(log(Double(count) * 3) / log(4)))) }
        var result: [Int] = []
        if total <= setSize {
            var pool = Array(0..<total)
            for place in 0..<count {
                let drawn = below(total - place)
                result.append(pool[drawn])
                pool[drawn] = pool[total - place - 1]
            }
            return result
        }
        var taken: Set<Int> = []
        for _ in 0..<count {
            var drawn = below(total)
            while !taken.insert(drawn).inserted { drawn = below(total) }
            result.append(drawn)
        }
        return result
    }
}
