internal import Kernels

extension VamanaGraph {
    /// Links every slot that no walk can reach to a near one that has room, and returns the slots whose lists grew.
    ///
    /// Selecting links by direction can skip vectors with many duplicates, because each seems redundant. Lists may
    /// grow beyond the degree for this, up to the width. O(links) if all slots are reachable.
    func connect(_ space: VamanaSpace, _ settings: VamanaSettings, _ scratch: VamanaScratch) -> [Int] {
        guard let entry else { return [] }
        let removed = space.rows.removed
        var reached = SlotSet(capacity: count)
        var waiting: [UInt32] = []
        func spread(from slot: UInt32) {
            guard reached.insert(Int(slot)) else { return }
            waiting.append(slot)
            while let next = waiting.popLast() {
                let list = list(Int(next))
                var place = 0
                while place < width, list[place] != GraphWalk.none {
                    if reached.insert(Int(list[place])) { waiting.append(list[place]) }
                    place += 1
                }
            }
        }
        spread(from: entry)
        var hosts: [Int] = []
        var last: Int?
        for slot in 0..<count where !reached.contains(slot) && !removed.contains(slot) {
            walk(to: slot, space, complexity: settings.complexity, scratch)
            scratch.pool.sort()
            let near = scratch.pool.lazy.map { Int($0.slot) }.first { self.degree($0) < self.width && $0 != slot }
            // Where even the near ones are full, slots that were left behind hold each other.
            guard
                let host = near ?? last.flatMap({ degree($0) < width ? $0 : nil })
                    ?? scratch.pool.first.map({ Int($0.slot) })
            else { continue }
            let place = min(degree(host), width - 1)
            list(host)[place] = UInt32(slot)
            if place + 1 < width { list(host)[place + 1] = GraphWalk.none }
            hosts.append(host)
            last = slot
            spread(from: UInt32(slot))
        }
        return hosts
    }
}
