extension KernelAgreement {
    /// Keeps the place with the largest error in units of the allowed one; NaN is the largest.
    mutating func consider(_ found: Double, beside expected: Double, allowed: Double, place: () -> String) {
        let difference = abs(found - expected)
        let error = difference == 0 ? 0 : difference.isNaN ? .infinity : difference / allowed
        guard error > worst || (self.place.isEmpty && error >= worst) else { return }
        worst = error.isNaN ? .infinity : error
        self.place = "\(place()) is \(found), expected \(expected) within \(allowed)"
    }

    /// Elements that still hold the poison were forgotten, whether or not their row was compared.
    mutating func refuseUnwritten<Element>(
        in output: UnsafeMutableBufferPointer<Element>, isUnwritten: (Element) -> Bool, place: (Int) -> String
    ) {
        guard let first = output.firstIndex(where: isUnwritten) else { return }
        worst = .infinity
        self.place = "\(place(first)) was never written"
    }
}
