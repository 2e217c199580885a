"""Words too common to tell one text from another, by language."""

from functools import cache
from types import MappingProxyType
from typing import Final

_WORDS: Final = MappingProxyType(
    {
        "en": """
            a about above after again all also am an and any are as at be because been before being below between both
            but by can could did do does doing down during each few for from further had has have having he her here
            hers herself him himself his how i if in into is it its itself just me more most my myself no nor not now
            of off on once only or other our ours out over own same she should so some such than that the their theirs
            them themselves then there these they this those through to too under until up very was we were what when
            where which while who whom why will with would you your yours yourself it's don't doesn't isn't
        """,
        "es": """
            a al algo algunas algunos ante antes aunque como con contra cual cuando de del desde donde durante e el
            ella ellas ellos en entre era eran es esa esas ese eso esos esta estaba estas este esto estos está están
            fue fueron ha han hasta hay la las le les lo los me mi mientras mis muy más ni no nos o otra otras otro
            otros para pero por porque pues que quien se sea según ser si sido sin sobre son su sus sí también tan
            tanto te tiene tienen todo todos tu un una unas uno unos usted y ya yo él
        """,
        "fr": """
            a à ai au aucun aussi autre autres aux avait avant avec avoir c'est ce ceci cela celle celui ces cet cette
            ceux chaque comme d'un d'une dans de des donc dont du elle elles en encore entre es est et étaient était
            été être eu fait il ils j'ai je l' la le les leur leurs lors lui là ma mais me même mes moi mon n'est ne
            ni nos notre nous on ont ou où par parce pas peu peut plus pour qu'il qu'un que quel quelle qui sa sans se
            selon ses si son sont sous sur ta te tes toi ton tous tout toute très tu un une vos votre vous y
        """,
        "de": """
            aber alle allem allen aller alles als also am an auch auf aus bei bin bis bist da damit dann das dass dein
            dem den denn der des dich die dies diese diesem diesen dieser dieses dir doch du durch ein eine einem
            einen einer eines er es euch für gegen hat hatte hatten haben hier hin ich ihm ihn ihnen ihr ihre ihrem
            ihren ihrer im in ins ist jede jedem jeden jeder jedes kann kein keine keinem keinen keiner können man
            mein mich mir mit muss nach nicht noch nun nur ob oder ohne sehr sein seine seinem seinen seiner sich sie
            sind so solche sondern über um und uns unser unter vom von vor war waren warum was weil wenn wer werden
            wie wieder wird wir wo wurde wurden zu zum zur zwischen
        """,
        "pt": """
            a ao aos aquela aquele aqui as até com como contra da das de dela dele depois do dos e ela elas ele eles
            em entre era eram essa essas esse esses esta estas este estes está estão eu foi foram há isso isto já lhe
            mais mas me mesmo meu minha muito na nas nem no nos não nós o os ou para pela pelas pelo pelos pois por
            porque qual quando que quem se seja sem ser seu seus sob sobre sua suas são só também te tem têm toda
            todas todo todos um uma você vocês à às é
        """,
        "it": """
            a ad agli ai al alla alle allo anche c'è che chi ci come con contro cui da dagli dai dal dalla dalle dei
            del della delle dello degli di dopo dove e ed era erano essere fra gli ha hanno ho i il in io la le lei li
            lo loro lui ma mi mia mio molto ne nei nel nella nelle nello noi non nostro o ogni per perché più poi
            prima qual quale quando quella quelle quelli quello questa queste questi questo qui se senza si sia sono
            sopra sotto su sua sue sugli sui sul sulla sulle suo suoi tra tu tua tuo tutti tutto un un' una uno vi voi
            è
        """,
        "vi": """
            ai anh bạn bà bị bởi các cái cho chúng có còn cô cũng của cùng do đã đang đây đấy đến để đi đó được gì hay
            họ hơn khi không là lại làm mà mình một mọi mỗi này nào nên nếu như nhưng những nó ở ông qua ra rất rằng
            sau sẽ ta tại theo thì trên trong trước tôi từ và vào vẫn về vì với
        """,
        "nl": """
            aan al alle als altijd andere ben bij daar dan dat de der deze die dit doch doen door dus een en er ge
            geen had hebben heb heeft hem het hier hij hoe hun iemand iets ik in is ja je jij jullie kan kon kunnen
            maar me meer men met mij mijn moet na naar niet niets nog nu of om omdat onder ons ook op over reeds te
            tegen toch toen tot u uit uw van veel voor want waren was wat we wel werd wezen wie wij wil worden wordt
            zal ze zelf zich zij zijn zo zonder zou
        """,
    }
)  # fmt: skip


@cache
def stop_words(language: str) -> frozenset[str]:
    """Empty for a language without a list: every word then counts."""
    return frozenset(_WORDS.get(language, "").split())
