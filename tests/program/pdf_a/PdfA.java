import java.io.FileInputStream;
import java.util.*;
import java.util.logging.LogManager;
import javax.xml.parsers.DocumentBuilderFactory;
import org.verapdf.gf.foundry.VeraGreenfieldFoundryProvider;
import org.verapdf.pdfa.*;
import org.verapdf.pdfa.flavours.PDFAFlavour;
import org.verapdf.pdfa.results.*;
import org.verapdf.pdfa.validation.profiles.*;
import org.w3c.dom.*;

/** Whether files are PDF/A-3b, by the library veraPDF: prints each rule that one breaks, and ends with 1 then. */
class PdfA {
    static final PDFAFlavour LEVEL = PDFAFlavour.PDFA_3_B;

    public static void main(String[] files) throws Exception {
        LogManager.getLogManager().reset();
        VeraGreenfieldFoundryProvider.initialise();
        ValidationProfile profile = profile();
        boolean all = true;
        for (String file : files) {
            try (PDFAParser parser = Foundries.defaultInstance().createParser(new FileInputStream(file), LEVEL);
                    PDFAValidator validator = Foundries.defaultInstance().createValidator(profile, false)) {
                ValidationResult result = validator.validate(parser);
                all &= result.isCompliant() && result.getTotalAssertions() > 0;
                System.out.printf("%s: %d checks by %d rules, %s%n", file, result.getTotalAssertions(),
                        profile.getRules().size(), result.isCompliant() ? "PDF/A-3b" : "not PDF/A-3b");
                for (TestAssertion one : result.getTestAssertions())
                    if (one.getStatus() != TestAssertion.Status.PASSED)
                        System.out.printf("  %s, test %d: %s%n    %s%n", one.getRuleId().getClause(),
                                one.getRuleId().getTestNumber(), one.getMessage(), one.getLocation().getContext());
            }
        }
        System.exit(all ? 0 : 1);
    }

    /** As the library ships it. It reads it by JAXB, which no Java has any more. */
    static ValidationProfile profile() throws Exception {
        Element root = DocumentBuilderFactory.newInstance().newDocumentBuilder()
                .parse(PdfA.class.getResourceAsStream("/org/verapdf/pdfa/validation/PDFA-3B.xml")).getDocumentElement();
        Set<Rule> rules = new HashSet<>();
        for (Element rule : all(root, "rule")) {
            Element id = all(rule, "id").get(0);
            RuleId name = Profiles.ruleIdFromValues(PDFAFlavour.Specification.valueOf(id.getAttribute("specification")),
                    id.getAttribute("clause"), Integer.parseInt(id.getAttribute("testNumber")));
            ErrorDetails error = Profiles.errorFromValues(text(rule, "message"), List.of());
            String deferred = rule.getAttribute("deferred");
            rules.add(Profiles.ruleFromValues(name, rule.getAttribute("object"),
                    deferred.isEmpty() ? null : Boolean.valueOf(deferred), rule.getAttribute("tags"),
                    text(rule, "description"), text(rule, "test"), error, List.of()));
        }
        Set<Variable> variables = new HashSet<>();
        for (Element of : all(root, "variable"))
            variables.add(Profiles.variableFromValues(of.getAttribute("name"), of.getAttribute("object"),
                    text(of, "defaultValue"), text(of, "value")));
        ProfileDetails details = Profiles.profileDetailsFromValues("PDF/A-3b", "", "", new Date());
        return Profiles.profileFromValues(LEVEL, details, "", rules, variables);
    }

    static List<Element> all(Element of, String name) {
        NodeList found = of.getElementsByTagName(name);
        List<Element> all = new ArrayList<>();
        for (int n = 0; n < found.getLength(); n++) all.add((Element) found.item(n));
        return all;
    }

    static String text(Element of, String name) {
        return all(of, name).get(0).getTextContent();
    }
}
