internal import CKernels

/// The steps of a walk through a graph that are not distances.
///
/// A list of links ends at ``none`` or its width. A beam holds what was found so far, nearest first, as
/// ``entry(order:slot:)`` packs it; its lowest bit says whether the slot was expanded.
package enum GraphWalk {
    /// No link.
    package static var none: UInt32 { @inline(__always) get { .max } }

    /// The links not visited yet, which are then; the first `lines` cache lines of their rows are asked for.
    @inline(__always)
    package static func unvisited(
        _ links: UnsafePointer<UInt32>, width: Int, visited: UnsafeMutablePointer<UInt64>, rows: UnsafeRawPointer,
        stride: Int, lines: Int, into found: UnsafeMutablePointer<UInt32>
    ) -> Int {
        orrery_unvisited(links, width, visited, rows, stride, lines, found)
    }

    /// Puts slots into a beam; returns the lowest position that changed, `capacity` for none.
    @inline(__always)
    package static func insert(
        _ slots: UnsafePointer<UInt32>, orders: UnsafePointer<Int32>, count: Int,
        into beam: UnsafeMutablePointer<UInt64>, size: inout Int, capacity: Int, links: UnsafeRawPointer,
        linksBytes: Int
    ) -> Int {
        orrery_beam_insert(beam, &size, capacity, orders, slots, count, links, linksBytes)
    }

    /// Turns floats into int32 of the same order, in place.
    package static func order(floats: UnsafeMutablePointer<Float>, count: Int) {
        orrery_order_of_floats(floats, count)
    }

    /// Nearer slots are lower; of equally near ones the lower slot.
    @inline(__always)
    package static func entry(order: Int32, slot: UInt32) -> UInt64 {
        UInt64(UInt32(bitPattern: order) ^ 0x8000_0000) << 32 | UInt64(slot) << 1
    }

    /// The slot of an entry.
    @inline(__always)
    package static func slot(_ entry: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: entry) >> 1 }

    /// The order of an entry's distance.
    @inline(__always)
    package static func order(_ entry: UInt64) -> Int32 {
        Int32(bitPattern: UInt32(truncatingIfNeeded: entry >> 32) ^ 0x8000_0000)
    }

    /// The float that ``order(floats:count:)`` turned into an order.
    @inline(__always)
    package static func float(order: Int32) -> Float {
        Float(bitPattern: UInt32(bitPattern: order ^ (order >> 31 & 0x7FFF_FFFF)))
    }

    /// Copies a list while others may write it.
    @inline(__always)
    package static func copy(
        _ list: UnsafePointer<UInt32>, width: Int, into links: UnsafeMutablePointer<UInt32>
    ) {
        orrery_copy_links(list, width, links)
    }

    /// Writes a list while others may read it; the lock of the list is held.
    @inline(__always)
    package static func store(
        _ links: UnsafePointer<UInt32>, count: Int, in list: UnsafeMutablePointer<UInt32>, width: Int
    ) {
        orrery_store_links(list, width, links, count)
    }

    package static func lock(_ byte: UnsafeMutablePointer<UInt8>) { orrery_lock_byte(byte) }
    package static func unlock(_ byte: UnsafeMutablePointer<UInt8>) { orrery_unlock_byte(byte) }
}
