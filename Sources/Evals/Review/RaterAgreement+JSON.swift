public import JSON

extension RaterAgreement: JSONRepresentable {
    /// Writes the agreement without undefined values.
    public func write(to json: inout JSONWriter) {
        json.object {
            $0.member("pairs", pairs)
            $0.member("alpha", ifPresent: alpha)
        }
    }
}

extension RaterAgreement.Pair: JSONRepresentable {
    /// Writes the agreement; `grades` is true if grades were compared.
    public func write(to json: inout JSONWriter) {
        json.object {
            $0.member("one", one)
            $0.member("other", other)
            $0.member("samples", samples)
            $0.member("percent", percent)
            $0.member("kappa", ifPresent: kappa)
            $0.member("grades", comparesGrades)
        }
    }
}
