// What Apple's systems and CLDR take for the same when they make the name of a locale canonical. Tests hold
// it against both.

/// Codes that are another way of saying a language: ISO 639-2 and 639-3 beside 639-1, codes that were given
/// up, and members of a language for which it stands; what follows the colon is not replaced any more.
let languageAliases: [Substring: Substring] = pairs(
    """
    aam:aas aar:aa abk:ab adp:dz afr:af agp:apf ais:ami ajp:apc ajt:aeb aju:jrb aka:ak alb:sq
    als:sq amh:am ara:ar arb:ar arg:an arm:hy asd:snz asm:as aue:ktz ava:av ave:ae aym:ay ayr:ay
    ayx:nun aze:az azj:az bak:ba bam:bm baq:eu baz:nvo bcc:bal bcl:bik bel:be ben:bn bgm:bcg
    bh:bho bhk:fbl bic:bir bih:bho bis:bi bjd:drl bjq:bzc bkb:ebk blg:iba bod:bo bos:bs bre:br
    btb:beb bul:bg bur:my bxk:luy bxr:bua cat:ca ccq:rki ces:cs cha:ch che:ce chi:zh chu:cu
    chv:cv cjr:mom cka:cmr cld:syr cmk:xch cmn:zh cnr:sr-ME cor:kw cos:co coy:pij cqu:quh cre:cr
    cwd:cr cym:cy cze:cs daf:dnj dan:da dap:njz deu:de dgo:doi dhd:mwr dik:din diq:zza dit:dif
    div:dv djl:dze dkl:aqd drh:mn drr:kzk drw:fa-AF dud:uth duj:dwu dut:nl dwl:dbt dzo:dz ekk:et
    ell:el elp:amq emk:man eng:en epo:eo esk:ik est:et eus:eu ewe:ee fao:fo fas:fa fat:ak fij:fj
    fin:fi fra:fr fre:fr fry:fy fuc:ff ful:ff gav:dev gaz:om gbc:wny gbo:grb geo:ka ger:de
    gfx:vaj ggn:gvr ggo:esg ggr:gtu gio:aou gla:gd gle:ga glg:gl gli:kzk glv:gv gno:gon gom:kok
    gre:el grn:gn gti:nyc gug:gn guj:gu guv:duz gya:gba hat:ht hau:ha hbs:sr-Latn hdn:hai
    hea:hmn heb:he her:hz him:srx hin:hi hmo:ho hrr:jal hrv:hr hun:hu hye:hy ibi:opa ibo:ig
    ice:is ido:io iii:ii ike:iu iku:iu ile:ie ill:ilm ilw:gal in:id ina:ia ind:id ipk:ik isl:is
    ita:it iw:he izi:eza jar:jgk jav:jv jaw:jv jeg:oyb ji:yi jpn:ja jw:jv kal:kl kan:kn kas:ks
    kat:ka kau:kr kaz:kk kdv:zkd kgc:tdf kgd:ncq kgh:kml kgm:plu khk:mn khm:km kik:ki kin:rw
    kir:ky kmr:ku knc:kr kng:kg knn:kok koj:kwv kom:kv kon:kg kor:ko kpp:jkm kpv:kv krm:bmf
    ktr:dtp kua:kj kur:ku kvs:gdj kwq:yam kxe:tvd kxl:kru kzh:dgl kzj:dtp kzt:dtp lak:ksp lao:lo
    lat:la lav:lv lbk:bnc leg:enl lii:raq lim:li lin:ln lit:lt llo:ngt lmm:rmx ltz:lb lub:lu
    lug:lg lvs:lv mac:mk mah:mh mal:ml mao:mi mar:mr may:ms meg:cir mgx:jbk mhr:chm mkd:mk
    mlg:mg mlt:mt mnk:man mnt:wnn mo:ro mof:xnt mol:ro mon:mn mri:mi msa:ms mst:mry mup:raj
    mwd:dmw mwj:vaj mya:my myd:aog myt:mry nad:xny nau:na nav:nv nbf:nru nbl:nr nbx:ekc ncp:kdz
    nde:nd ndo:ng nep:ne nld:nl nln:azd nlr:nrk nno:nn nns:nbr nnx:ngv no:nb nob:nb nom:cbr
    noo:dtd nor:nb npi:ne nts:pij nxu:bpp nya:ny oci:oc ojg:oj oji:oj ori:or orm:om ory:or
    oss:os oun:vaj pan:pa pat:kxr pbu:ps pcr:adx per:fa pes:fa pli:pi plt:mg pmc:huw pmk:crr
    pmu:phr pnb:lah pol:pl por:pt ppa:bfy ppr:lcq prp:gu prs:fa-AF pry:prt pus:ps puz:pub que:qu
    quz:qu qxp:qu rmr:emx rmy:rom roh:rm ron:ro rum:ro run:rn rus:ru sag:sg san:sa sap:aqt
    sca:hle scc:sr scr:hr sgl:isk sh:sr-Latn sin:si skk:oyb slk:sk slo:sk slv:sl smd:kmb sme:se
    smo:sm sna:sn snb:iba snd:sd som:so sot:st spa:es spy:kln sqi:sq src:sc srd:sc srp:sr ssw:ss
    sul:sgd sum:ulw sun:su swa:sw swc:sw-CD swe:sv swh:sw szd:umi tah:ty tam:ta tat:tt tdu:dtp
    tel:te tgg:bjp tgk:tg tgl:fil tha:th thc:tpo thw:ola thx:oyb tib:bo tid:itd tie:ras tir:ti
    tkk:twm tl:fil tlw:weo tmk:tdg tmp:tyj tne:kak tnf:fa-AF ton:to tpw:tpn tsf:taj tsn:tn
    tso:ts ttq:tmh tuk:tk tur:tr tw:ak twi:ak uig:ug ukr:uk umu:del unp:wro uok:ema urd:ur
    uzb:uz uzn:uz ven:ve vie:vi vol:vo wel:cy wgw:wgb wit:nol wiw:nwo wln:wa wol:wo xba:cax
    xho:xh xia:acn xkh:waw xpe:kpe xrq:dmw xsj:suj xsl:den xss:zko ybd:rki ydd:yi yen:ynq yid:yi
    yiy:yrm yma:lrr ymt:mtm yor:yo yos:zom yuu:yug zai:zap zha:za zho:zh zir:scv zkb:kjh zsm:ms
    zul:zu zyb:za
    """
)

/// Regions that go by another code now, and `UK`, which never was one.
let regionAliases: [Substring: Substring] = pairs(
    """
    AN:CW BU:MM CS:RS CT:KI DD:DE DY:BJ FQ:AQ FX:FR HV:BF JT:UM MI:UM NH:VU NQ:AQ NT:SA PC:FM PU:UM
    PZ:PA QU:EU RH:ZW SU:RU TP:TL UK:GB VD:VN WK:UM YD:YE YU:RS ZR:CD
    """
)

/// The script that a language is written in where none is named.
let defaultScripts: Set<Substring> = Set(
    """
    ar-Arab ars-Arab fa-Arab ps-Arab ks-Aran ur-Aran hy-Armn as-Beng bn-Beng chr-Cher ab-Cyrl
    be-Cyrl bg-Cyrl kk-Cyrl ky-Cyrl mk-Cyrl mn-Cyrl ru-Cyrl sr-Cyrl tg-Cyrl uk-Cyrl brx-Deva hi-Deva
    kok-Deva mr-Deva ne-Deva sa-Deva am-Ethi ti-Ethi ka-Geor el-Grek gu-Gujr pa-Guru ko-Hang zh-Hani
    he-Hebr yi-Hebr ja-Jpan km-Khmr kn-Knda lo-Laoo af-Latn agq-Latn ak-Latn asa-Latn ay-Latn
    az-Latn bas-Latn bem-Latn bez-Latn bm-Latn br-Latn bs-Latn ca-Latn cgg-Latn cs-Latn cy-Latn
    da-Latn dav-Latn de-Latn dje-Latn dua-Latn dyo-Latn ebu-Latn ee-Latn en-Latn eo-Latn es-Latn
    et-Latn eu-Latn ewo-Latn ff-Latn fi-Latn fil-Latn fo-Latn fr-Latn ga-Latn gd-Latn gl-Latn
    gn-Latn gsw-Latn guz-Latn gv-Latn ha-Latn haw-Latn hr-Latn hu-Latn id-Latn ig-Latn is-Latn
    it-Latn jmc-Latn kab-Latn kam-Latn kde-Latn kea-Latn khq-Latn ki-Latn kl-Latn ksb-Latn ksf-Latn
    kw-Latn la-Latn lag-Latn lb-Latn lg-Latn ln-Latn lt-Latn lu-Latn luo-Latn luy-Latn lv-Latn
    mas-Latn mer-Latn mfe-Latn mg-Latn mgh-Latn ms-Latn mt-Latn mua-Latn naq-Latn nb-Latn nd-Latn
    nl-Latn nmg-Latn nn-Latn nus-Latn ny-Latn nyn-Latn om-Latn pl-Latn pt-Latn qu-Latn rm-Latn
    rn-Latn ro-Latn rof-Latn rw-Latn rwk-Latn saq-Latn sbp-Latn se-Latn seh-Latn ses-Latn sg-Latn
    shi-Latn sk-Latn sl-Latn sn-Latn so-Latn sq-Latn sv-Latn sw-Latn teo-Latn tk-Latn tn-Latn
    to-Latn tr-Latn twq-Latn tzm-Latn uz-Latn vi-Latn vun-Latn wo-Latn xh-Latn xog-Latn yav-Latn
    yo-Latn zu-Latn ml-Mlym my-Mymr or-Orya si-Sinh ta-Taml te-Telu dv-Thaa th-Thai bo-Tibt dz-Tibt
    vai-Vaii ii-Yiii
    """
    .split(whereSeparator: \.isWhitespace)
)

/// Tags that mean another one as a whole.
let tagAliases: [String: String] = [
    "art-lojban": "jbo", "de-1901": "de", "hy-arevela": "hy", "hy-arevmda": "hyw", "no-bok": "nb",
    "no-nyn": "nn", "zh-guoyu": "zh", "zh-hakka": "hak", "zh-xiang": "hsn",
]

private func pairs(_ table: String) -> [Substring: Substring] {
    let entries = table.split(whereSeparator: \.isWhitespace).map { $0.split(separator: ":") }
    return Dictionary(uniqueKeysWithValues: entries.map { ($0[0], $0[1]) })
}

extension LanguageTag {
    /// The language as Apple's systems name it, whichever way the tag writes it: `he` of `iw`, `en-GB`
    /// of `eng-Latn-UK`.
    ///
    /// What stands behind language, script and region is kept as it is. An extended language is one
    /// of its own: `zh-yue` is `yue`.
    package var canonical: String { canonicalForm(of: text) }

    /// Every language that a phone may take the tag for: older systems do not tell an extended
    /// language from the one before it.
    fileprivate var readings: [String] {
        let parts = TagParts(text)
        guard !parts.extended.isEmpty else { return [canonical] }
        let bare = ([parts.language] + parts.behindLanguage).joined(separator: "-")
        return [canonical, canonicalForm(of: bare)]
    }
}

/// Two tags that phones take for one language.
///
/// iPhones keep texts under the languages that they understand, and an app that finds a second text
/// under one of them ends at once.
package struct LanguageTwins: Hashable, Sendable {
    package let first: LanguageTag
    package let second: LanguageTag

    package init(_ first: LanguageTag, _ second: LanguageTag) {
        (self.first, self.second) = (first, second)
    }
}

extension LanguageTwins: CustomStringConvertible {
    package var description: String { "\(first) and \(second)" }
}

extension Sequence<LanguageTag> {
    /// Those of them that phones take for one that stands before them in the order of the tags.
    package var twins: [LanguageTwins] {
        var seen: [String: LanguageTag] = [:]
        return Set(self).sorted().compactMap { tag in
            let readings = tag.readings
            let twin = readings.lazy.compactMap { seen[$0] }.first
            for reading in readings where seen[reading] == nil { seen[reading] = tag }
            return twin.map { LanguageTwins($0, tag) }
        }
    }
}

extension Document {
    /// Every language that it has a text in.
    package var languages: Set<LanguageTag> {
        platform.thresholds.reduce(into: []) { languages, name in
            languages.formUnion(self[name].titles.keys)
            languages.formUnion(self[name].descriptions.keys)
        }
    }

    /// Languages of its texts that phones take for one.
    package var languageTwins: [LanguageTwins] { languages.twins }
}

/// The parts of a well-formed tag in its recommended letter case.
private struct TagParts {
    let language: Substring
    let extended: ArraySlice<Substring>
    let script: Substring?
    let region: Substring?
    let rest: ArraySlice<Substring>

    init(_ text: String) {
        var parts = text.split(separator: "-")[...]
        language = parts.popFirst() ?? ""
        extended = parts.prefix { $0.count == 3 && $0.utf8.allSatisfy(isLetter) }.prefix(3)
        parts.removeFirst(extended.count)
        script = parts.first.flatMap { $0.count == 4 && $0.utf8.allSatisfy(isLetter) ? $0 : nil }
        if script != nil { parts.removeFirst() }
        region = parts.first.flatMap { part in
            part.count == 2 || part.count == 3 && part.utf8.allSatisfy(isDigit) ? part : nil
        }
        if region != nil { parts.removeFirst() }
        rest = parts
    }

    /// All but the language and what extends it.
    var behindLanguage: [Substring] { [script, region].compactMap(\.self) + rest }
}

private func canonicalForm(of tag: String) -> String {
    if let whole = tagAliases[tag] { return whole }
    let parts = TagParts(tag)
    let language = parts.extended.last ?? parts.language
    let named = TagParts(String(languageAliases[language] ?? language))
    let region = parts.region.map { currentRegion($0, of: named.language) } ?? named.region
    let script = (parts.script ?? named.script).flatMap { script in
        defaultScripts.contains("\(named.language)-\(script)") ? nil : script
    }
    return ([named.language, script, region].compactMap(\.self) + parts.rest)
        .joined(separator: "-")
}

/// `CS` was Czechoslovakia before it was Serbia and Montenegro.
private func currentRegion(_ region: Substring, of language: Substring) -> Substring {
    switch (language, region) {
    case ("cs", "CS"): "CZ"
    case ("sk", "CS"): "SK"
    default: regionAliases[region] ?? region
    }
}

extension LanguageTwins {
    /// What becomes of a phone that reads both.
    package static let harm = "on an iPhone the app ends whenever it reads them"
}

extension LogState {
    /// Languages of the documents on these platforms that phones take for one.
    func objectionsToTwins(
        in documents: [Platform: Document],
        touching platforms: Set<Platform>
    ) -> [Objection] {
        guard strictness != .original else { return [] }
        return platforms.sorted().flatMap { platform in
            (documents[platform]?.languageTwins ?? []).map { .languagesAlike(platform, $0) }
        }
    }

    /// The same of what a change leads to.
    func objectionsToTwins(in examined: ExaminedChange) -> [Objection] {
        objectionsToTwins(
            in: examined.after,
            touching: Set(examined.change.operations.map(\.platform))
        )
    }

    /// Those that are not live already: what was let through once keeps nobody from acting at once.
    func objectionsToTwins(
        in documents: [Platform: Document],
        notIn app: App
    ) -> [Objection] {
        newTwins(in: documents, of: app).map { .languagesAlike($0, $1) }
    }

    private func newTwins(
        in documents: [Platform: Document],
        of app: App
    ) -> [(Platform, LanguageTwins)] {
        guard strictness != .original else { return [] }
        return documents.keys.sorted().flatMap { platform in
            let live = app.documents[platform]?.languageTwins ?? []
            let twins = documents[platform]?.languageTwins ?? []
            return twins.filter { !live.contains($0) }.map { (platform, $0) }
        }
    }

    /// The documents, with every text as it is live whose language would be taken for another's.
    func withoutNewTwins(
        _ documents: [Platform: Document],
        of app: App
    ) -> [Platform: Document] {
        var documents = documents
        for (platform, twins) in newTwins(in: documents, of: app) {
            for change in app.document(platform).changes(
                to: documents[platform] ?? Document(platform: platform)
            )
            where change.field.language.map([twins.first, twins.second].contains) == true {
                documents[platform]?[change.field] = change.before
            }
        }
        return documents
    }
}

extension Field {
    /// The language of a text.
    package var language: LanguageTag? {
        if case .text(_, let language) = part { language } else { nil }
    }
}
